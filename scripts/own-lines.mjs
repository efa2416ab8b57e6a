/** A lint rule: a function has at most `max` lines of its own; those of functions inside it are counted for them. */
const isFunction = (node) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);

export const ownLines = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer' }],
    messages: { long: 'This function has {{count}} lines of its own; at most {{max}}.' },
  },
  create(context) {
    const max = context.options[0] ?? 40;
    const stack = [];
    const enter = () => stack.push({ inner: 0 });
    const exit = (node) => {
      const { inner } = stack.pop();
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (stack.length) stack.at(-1).inner += Math.max(0, lines - 1);
      const count = lines - inner;
      if (count > max) context.report({ node, messageId: 'long', data: { count, max } });
    };
    return {
      ':function': (node) => isFunction(node) && enter(),
      ':function:exit': (node) => isFunction(node) && exit(node),
    };
  },
};
