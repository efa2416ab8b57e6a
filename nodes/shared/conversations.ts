/** The conversations of a backbone, kept for as long as its settings say, and what is open in them. */
import { createConversations, type Conversations } from '../../engine/conversation/conversation.ts';
import { createQuestions } from '../../engine/conversation/questions.ts';
import { createTurns, type Turns } from '../../engine/conversation/turns.ts';
import type { OpenQuestions } from '../../engine/plan/run-ports.ts';
import type { Backbone } from '../backbone/lease.ts';
import { processClock } from './process.ts';

const dayMs = 24 * 3_600_000;

export const conversationsOf = (backbone: Backbone): Conversations =>
  backbone.once('conversations', () => {
    const { conversationDays: days } = backbone.settings;
    return createConversations(backbone.store, processClock, days === undefined ? {} : { expiryMs: days * dayMs });
  });

export const turnsOf = (backbone: Backbone): Turns =>
  backbone.once('turns', () => createTurns(conversationsOf(backbone), processClock));

export const questionsOf = (backbone: Backbone): OpenQuestions =>
  backbone.once('questions', () => createQuestions(backbone.store, backbone.house));
