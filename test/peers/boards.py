"""Loads and saves boards as the REPL of gpt-multi-atomic-agents does: its own functions, file names typed in."""

import json
import sys

from gpt_multi_atomic_agents.blackboard import FunctionCallBlackboard
from gpt_multi_atomic_agents.blackboard_accessor import FunctionCallBlackboardAccessor
from gpt_multi_atomic_agents.blackboard_serde import (
    load_blackboard_from_file,
    save_blackboard_to_file,
)
from gpt_multi_atomic_agents.config import Config

folder, *names = sys.argv[1:]
config = Config(temp_data_dir_path=folder)
untouched = FunctionCallBlackboard()
seen = {}
for name in names:
    board = load_blackboard_from_file(config, untouched)
    if board is None or board is untouched:
        seen[name] = None
        continue
    save_blackboard_to_file(board, "again-" + name.split(".")[0] + ".json", config)
    one = {"format": board.format.value, "messages": len(board.internal_previous_messages)}
    if isinstance(board, FunctionCallBlackboard):
        accessor = FunctionCallBlackboardAccessor(board)
        accepted = sorted({call.function_name for call in board.internal_previously_generated_functions})
        one["all"] = len(board.internal_previously_generated_functions)
        one["new"] = len(accessor.get_new_functions())
        one["newMessages"] = len(accessor.get_new_messages())
        one["accepted"] = {
            function: [call.parameters for call in board.get_generated_functions_matching([function])]
            for function in accepted
        }
    else:
        one["all"] = len(board.internal_previously_generated_mutation_calls)
        one["data"] = board.internal_user_data
    seen[name] = one
with open(folder + "/seen.json", "w", encoding="utf-8") as file:
    json.dump(seen, file)
