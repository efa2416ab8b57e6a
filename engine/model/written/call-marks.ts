/** Where a call that is written as text begins; for streams, which must not show it. */
export const callMark =
  /<tool_calls?>|<function_?calls?>|<\|tool_calls?\|>|<\|tool_call_(?:begin|start)\|>|<tool_use>|\[TOOL_CALLS\]|<\|python_tag\|>|functools\s*\[|<function[=\s]|<｜tool▁calls?▁begin｜>|<\|channel\|>|✿FUNCTION✿|```(?:tool_code|tool_call)/;
