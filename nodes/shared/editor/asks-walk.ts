/** Whom a node may ask, seen in the editor: the same walk as the runtime's, along wires and from link out to link in. */

const isOurs = (node: EditorNode): boolean => node.type.startsWith('folkmoot-');

function linkInsOf(node: EditorNode): EditorNode[] {
  if (node.type !== 'link out' || !Array.isArray(node['links'])) return [];
  return (node['links'] as readonly string[]).flatMap((id) => RED.nodes.node(id) ?? []);
}

/** The wires on which asks of a node travel, also behind Function, Switch, junctions and links. */
export function asksLinksFrom(asker: EditorNode): EditorLink[] {
  const start = RED.nodes.getNodeLinks(asker.id).filter((link) => link.sourcePort === asker._def.asksOutput);
  const found: EditorLink[] = [...start];
  const seen = new Set<string>();
  const queue = start.map((link) => link.target);
  for (let node = queue.shift(); node; node = queue.shift()) {
    if (seen.has(node.id) || isOurs(node)) continue;
    seen.add(node.id);
    const onwards = RED.nodes.getNodeLinks(node.id);
    found.push(...onwards);
    queue.push(...onwards.map((link) => link.target), ...linkInsOf(node));
  }
  return found;
}

/** Ids of the nodes at the end of such wires that can be asked. */
export function nodesReached(links: readonly EditorLink[]): Set<string> {
  return new Set(links.flatMap(({ target }) => (target._def.answersAsks ? [target.id] : [])));
}
