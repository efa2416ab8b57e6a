declare module 'node-red-node-test-helper' {
  const helper: {
    init(runtimePath: string): void;
    startServer(done: () => void): unknown;
    stopServer(done: () => void): unknown;
    load(modules: unknown, flow: unknown, credentials: unknown): Promise<void>;
    unload(): Promise<void>;
    getNode(id: string): unknown;
    setFlows(flow: unknown, type: string): Promise<void>;
    request(): unknown;
    settings(settings: object): void;
  };
  export default helper;
}
