/**
 * The look of asks in the picture: a diamond for the output, dashed wires to whom may be asked, and a glow on hover.
 * Element classes and their data are not promised by Node-RED, so nothing here may stop the editor: it only adds classes.
 */
import { asksLinksFrom, nodesReached } from '../shared/editor/asks-walk.ts';

interface AddedPort {
  readonly node: EditorNode;
  readonly port: SVGElement;
  readonly portType: 'input' | 'output';
  readonly portIndex: number;
}

const dashed = 'folkmoot-asks-link';
const glowing = 'folkmoot-reachable';
let isWaiting = false;

const linkElements = (): Element[] => [...document.querySelectorAll('.red-ui-flow-link')];
const linkOf = (element: Element): EditorLink | undefined => (element as { __data__?: EditorLink }).__data__;

function isSame(a: EditorLink, b: EditorLink): boolean {
  return a.source.id === b.source.id && a.sourcePort === b.sourcePort && a.target.id === b.target.id;
}

function allAsksLinks(): EditorLink[] {
  const links: EditorLink[] = [];
  RED.nodes.eachNode((node) => {
    if (node._def.asksOutput !== undefined) links.push(...asksLinksFrom(node));
  });
  return links;
}

function repaint(): void {
  isWaiting = false;
  const asks = allAsksLinks();
  for (const element of linkElements()) {
    const link = linkOf(element);
    element.classList.toggle(dashed, link !== undefined && asks.some((other) => isSame(link, other)));
  }
}

/** After the editor has drawn. There is no hook for wires. */
function repaintSoon(): void {
  if (isWaiting) return;
  isWaiting = true;
  setTimeout(() => softly(repaint), 0);
}

function glow(node: EditorNode, isOn: boolean): void {
  const links = asksLinksFrom(node);
  const reached = nodesReached(links);
  for (const element of linkElements()) {
    const link = linkOf(element);
    element.classList.toggle(glowing, isOn && link !== undefined && links.some((other) => isSame(link, other)));
  }
  for (const id of reached) document.getElementById(id)?.classList.toggle(glowing, isOn);
}

function softly(action: () => void): void {
  try {
    action();
  } catch {
    // Only a look is lost.
  }
}

function onPort({ node, port, portType, portIndex }: AddedPort): void {
  if (portType !== 'output' || node._def.asksOutput !== portIndex) return;
  port.classList.add('folkmoot-asks-port');
  port.addEventListener('mouseenter', () => softly(() => glow(node, true)));
  port.addEventListener('mouseleave', () => softly(() => glow(node, false)));
  repaintSoon();
}

RED.plugins.registerPlugin('folkmoot-asks-look', {
  type: 'folkmoot-look',
  onadd() {
    RED.hooks.add('viewAddPort.folkmoot', (port: AddedPort) => softly(() => onPort(port)));
    const changes = [
      'links:add',
      'links:remove',
      'nodes:add',
      'nodes:change',
      'workspace:change',
      'flows:loaded',
      'deploy',
    ];
    for (const change of changes) RED.events.on(change, repaintSoon);
  },
});
