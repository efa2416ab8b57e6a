/** Config node: the connections that nodes share (bus and store). Connects with its first user. */
import { join } from 'node:path';
import { defineNode } from '../shared/define-node.ts';
import type { Red } from '../shared/red.ts';
import { backboneFields } from './backbone.fields.ts';
import { BackboneSource, provideBackbone } from './lease.ts';

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
    start(kit) {
      const { config, credentials } = kit;
      const userDir = RED.settings.userDir;
      const source = new BackboneSource(RED, kit.id, {
        bus: config.busUrl ? config.bus : 'in-process',
        busUrl: config.busUrl,
        busUser: credentials['busUser'] ?? '',
        busPassword: credentials['busPassword'] ?? '',
        store: config.storeUrl ? config.store : 'embedded',
        storeUrl: config.storeUrl,
        storeUser: credentials['storeUser'] ?? '',
        storePassword: credentials['storePassword'] ?? '',
        storePath: config.storePath || (userDir ? join(userDir, 'folkmoot') : ':memory:'),
        house: config.house,
        conversationDays: config.conversationDays,
        caFile: config.caFile,
        certFile: config.certFile,
        keyFile: config.keyFile,
        verifyServer: config.verifyServer,
        foreignResponders: config.foreignResponders,
        allowedSenders: config.allowedSenders,
        outboxMessages: config.outboxMessages,
        outboxHours: config.outboxHours,
      });
      provideBackbone(kit.node, source);
      return { close: () => source.close() };
    },
  });
}
