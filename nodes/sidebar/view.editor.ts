/** What a view of the sidebar is, and what it is given. A view is a plugin of Node-RED's editor of type `folkmoot-view`. */

export interface SidebarView {
  readonly type: 'folkmoot-view';
  readonly id: string;
  /** On its tab. */
  readonly label: string;
  /** A class of Font Awesome 4.7, such as `fa-list`. */
  readonly icon: string;
  /** Small ones come first. */
  readonly order: number;
  /** Called each time that the view is chosen, with an empty place; what it gives is closed when another one is chosen. */
  render(container: HTMLElement, tools: ViewTools): RenderedView;
}

export interface RenderedView {
  /** Ends its timers and listeners. The place is emptied afterwards. */
  close(): void;
}

export interface ViewTools {
  /** The label of a node in the workspace; `undefined` when the editor doesn't have it. */
  labelOf(node: string): string | undefined;
  typeOf(node: string): string | undefined;
  /** Shows a node in the workspace. */
  reveal(node: string): void;
  /** Data from below `folkmoot-admin/`, with the rights of who uses the editor. Rejects with a `ReadProblem`. */
  read(path: string, query?: Readonly<Record<string, string | number>>): Promise<unknown>;
  /** Tells the runtime something, below `folkmoot-admin/`. Rejects with a `ReadProblem`. */
  send(path: string): Promise<void>;
  /** Calls on what the runtime says under `folkmoot/…`, and when the connection is there again. Gives what ends it. */
  onNews(topic: string, listener: () => void): () => void;
  /** Calls when the editor has other nodes than before: flows were loaded or deployed. Gives what ends it. */
  onNodes(listener: () => void): () => void;
}

/** The HTTP status; 0 when nothing answered. */
export interface ReadProblem {
  readonly status: number;
}

const namespace = 'node-red-contrib-folkmoot/sidebar';

/** A word of the sidebar's own catalogue. */
export const words = (id: string, values?: Readonly<Record<string, unknown>>): string =>
  RED._(`${namespace}:folkmoot-sidebar.${id}`, values);

export const tools: ViewTools = {
  labelOf(id) {
    const node = RED.nodes.node(id);
    return node ? RED.utils.getNodeLabel(node) : undefined;
  },
  typeOf: (id) => RED.nodes.node(id)?.type,
  reveal: (id) => RED.view.reveal(id),
  read: (path, data = {}) =>
    new Promise((resolve, reject) => {
      void $.ajax({
        url: `folkmoot-admin/${path}`,
        data,
        dataType: 'json',
        success: resolve,
        error: ({ status }) => reject(Object.assign(new Error(`HTTP ${status}`), { status })),
      });
    }),
  send: (path) =>
    new Promise((resolve, reject) => {
      void $.ajax({
        url: `folkmoot-admin/${path}`,
        method: 'POST',
        success: () => resolve(),
        error: ({ status }) => reject(Object.assign(new Error(`HTTP ${status}`), { status })),
      });
    }),
  onNews(topic, listener) {
    const name = `folkmoot/${topic}`;
    RED.comms.subscribe(name, listener);
    RED.comms.on?.('connect', listener);
    return () => {
      RED.comms.unsubscribe(name, listener);
      RED.comms.off?.('connect', listener);
    };
  },
  onNodes(listener) {
    const changes = ['flows:loaded', 'deploy'];
    for (const change of changes) RED.events.on(change, listener);
    return () => {
      for (const change of changes) RED.events.off(change, listener);
    };
  },
};
