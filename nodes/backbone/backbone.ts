/** Config node: the connections that nodes share (bus and store). Connects with its first user. */
import { defineNode } from '../shared/define-node.ts';
import type { Red } from '../shared/red.ts';
import { backboneFields } from './backbone.fields.ts';
import { settingsOf } from './backbone-settings.ts';
import { BackboneSource, provideBackbone } from './lease.ts';
import { rememberAddresses, serveTest } from './test-endpoint.ts';

export default function backbone(RED: Red): void {
  defineNode(RED, {
    type: 'folkmoot-backbone',
    fields: backboneFields,
    credentials: {
      busUser: { type: 'text' },
      busPassword: { type: 'password' },
      storeUser: { type: 'text' },
      storePassword: { type: 'password' },
    },
    start({ id, node, config, credentials }) {
      const source = new BackboneSource(RED, id, settingsOf(config, credentials, RED.settings.userDir));
      rememberAddresses(node, config);
      provideBackbone(node, source);
      return { close: () => source.close() };
    },
  });
  serveTest(RED);
}
