/** Every cap and deadline in one table, with units. Nodes and ports take their defaults from here. */
export const limits = {
  /** Deadlines count silence (contracts.md 4). */
  stepDeadlineMs: 60_000,
  toolDeadlineMs: 30_000,
  memoryDeadlineMs: 5_000,
  debateDeadlineMs: 120_000,
  runDeadlineMs: 300_000,
  runHardEndMs: 24 * 3_600_000,
  /** A reply is forced this long after the run's deadline. */
  replyGraceMs: 10_000,
  /** An ask that nobody took by then was surely dropped on its way. */
  askTakenWarnMs: 2_000,
  askResends: 3,
  /** A result with commands counts as delivered when who carries them out has written them down, or after this time. */
  takenOverMs: 1_000,
  runDepth: 5,
  /** A router refuses its own run's answers this long after the run ended. */
  loopGuardMs: 60_000,
  guardedRuns: 5_000,
  questionOpenMs: 5 * 60_000,
  /** How long a plan waits for a person. */
  approvalMs: 3_600_000,
  /** A plan that waited too long for a person: who answers within this time is told so. */
  answeredLateMs: 24 * 3_600_000,
  /** How often one plan may be answered: changed, or approved by groups. */
  planLegs: 50,
  planSteps: 20,
  /** Requests of which the first tier's share is told. */
  tierWindow: 200,
  /** Of an agent, in its prompt. */
  agentExamples: 20,
  agentSteps: 20,
  agentDocumentChars: 500_000,
  folderAgents: 200,
  /** Files are read when nothing has changed in their folder for so long. */
  folderQuietMs: 200,
  folderRetryMs: 5_000,
  /** How deep lists and objects may be nested in a parameter, and how many items a list has. */
  parameterDepth: 5,
  listItems: 200,
  /** GraphQL: a schema, tokens of any text, data in a prompt (longer data has to be asked for), on a board or a message. */
  graphqlChars: 100_000,
  graphqlTokens: 20_000,
  graphqlDataChars: 20_000,
  applicationDataChars: 200_000,
  /** One call's handler in a program that uses the engine as a library. */
  handlerMs: 30_000,
  /** Requests over HTTP: in work at once, clients whose rate is known, and sessions. */
  httpInWork: 10,
  httpClients: 1_000,
  httpSessions: 1_000,
  /** How often a person may change one plan in `handlePrompt`. */
  promptRounds: 20,
  /** Lines of the conversation that a planner sees. */
  planHistory: 20,
  mutationsPerStep: 50,
  debaters: 20,
  debateRounds: 10,
  /** Earlier statements that a debater is told, the newest. */
  debateWindow: 40,
  claimChars: 500,
  /** Reasons of one statement. */
  reasons: 5,
  boardMutations: 1_000,
  boardMessages: 500,
  boardWatchers: 100,
  /** Tries to save a board that others change at the same time. */
  boardSaves: 10,
  askMutations: 100,
  promptChars: 16_000,
  /** An event's data in an agent's prompt. */
  eventChars: 4_000,
  /** Longest text taken from a person or a sensor sentence. */
  requestChars: 8_000,
  busQueue: 1_000,
  busPayloadBytes: 256 * 1024,
  /** Largest packet that a broker may send us; larger messages are dropped there. */
  busPacketBytes: 16 * 1024 * 1024,
  /** How long a broker keeps our subscriptions, and what comes for them, after the connection was lost. */
  busSessionSeconds: 300,
  /** Messages of a broker that are worked on at once, and how long one may take: then it counts as arrived all the same. */
  busInWork: 100,
  busWorkMs: 30_000,
  /** So long when others that are done wait behind it. */
  busWorkYieldMs: 2_000,
  /** After a start, so long messages that came meanwhile wait for who listens to them. */
  busHeldMs: 10_000,
  /** So long a reply of an earlier process may take to come back before it is sent again. */
  echoBacklogMs: 2_000,
  /** Ids of repeated messages that a listener knows. */
  outboxWindow: 2_000,
  /** Outbox: unacknowledged at once, sent a second, payloads kept in all, how long one may take to come back. */
  outboxInFlight: 50,
  outboxPerSecond: 500,
  outboxBytes: 32 * 1024 * 1024,
  outboxEchoMs: 5_000,
  /** After a broker came back without its memory, so long nothing is sent: others that listen come back too. */
  outboxSettleMs: 3_000,
  /** Acknowledged by the broker and not come back; more are counted as maybe lost. */
  outboxUnheard: 5_000,
  /** Topics on which our own messages are heard, besides those of replies. */
  outboxTopics: 200,
  /** A message over which the connection broke so often is given up. */
  outboxTries: 30,
  busConnectTimeoutMs: 10_000,
  /** So long after a listener joined, or a connection was made, a broker may still give it what is retained. */
  busRetainedMs: 10_000,
  busReconnectMinMs: 1_000,
  busReconnectMaxMs: 60_000,
  /** A connection that stood so long is not counted with the failures before it. */
  busSteadyMs: 10_000,
  /** Retained messages on one Valkey server. */
  busRetained: 10_000,
  /** A stream of ours: entries kept, and how long. */
  streamEntries: 10_000,
  streamAgeMs: 7 * 24 * 3_600_000,
  /** Entries of one group that one process works on at once, and how long it may take with one. */
  streamInWork: 100,
  streamWorkMs: 10 * 60_000,
  /** Nothing was heard of who took an entry: another member of its group takes it. */
  streamIdleMs: 60_000,
  /** An entry that was taken so often and never done is given up. */
  streamDeliveries: 5,
  /** Longest time that one reading of a stream waits. */
  streamBlockMs: 5_000,
  /** What came before the last start waits this long for who listened to it then. */
  streamResumeMs: 10_000,
  /** A stream of talk: entries that one who speaks is shown, replies of one, time between two, characters of an entry. */
  talkWindow: 10,
  talkReplies: 10,
  talkCooldownMs: 10_000,
  talkChars: 4_000,
  /** Groups of processes that nobody heard of for so long are taken away. */
  streamGroupExpiryMs: 24 * 3_600_000,
  /** Metrics of a bus: topics and reasons told apart, the rest is one; characters of a topic and an error. */
  metricTopics: 200,
  metricReasons: 30,
  metricTopicChars: 200,
  metricErrorChars: 300,
  logEntries: 10_000,
  storeValueBytes: 4 * 1024 * 1024,
  /** What a store's file holds before the saved steps of the oldest ended runs are dropped. */
  storeFileBytes: 256 * 1024 * 1024,
  /** A store on a server: how long a call waits for connection and answer; less when it was away for that long. */
  storeDeadlineMs: 5_000,
  storeLostWaitMs: 1_000,
  storeReconnectMaxMs: 15_000,
  recordExpiryMs: 30 * 24 * 3_600_000,
  checkpointsPerRun: 50,
  checkpointExpiryMs: 2 * 24 * 3_600_000,
  modelTimeoutMs: 60_000,
  /** Tries again after an error of the server, beyond the first. */
  modelRetries: 1,
  /** Pause before it, which is no silence of the model. */
  modelRetryMs: 1_000,
  /** Calls to one host at once, and waiting for it. */
  modelConcurrency: 2,
  modelQueue: 200,
  modelReplyChars: 200_000,
  regenerations: 1,
  /** An agent with tools: answers of its model, calls in all, and rounds that only ask the same again. */
  toolRounds: 8,
  toolCalls: 20,
  toolRepeats: 2,
  /** What tools answered, in all, as a model is told it again in each round. */
  toolHistoryChars: 32_000,
  /** Longest result of a tool that is kept, and how many ended calls are told apart from unknown ones. */
  toolResultChars: 8_000,
  endedToolCalls: 1_000,
  /** While a tool works, its agent shows a sign of life this often. */
  toolSignOfLifeMs: 10_000,
  applyRowMs: 300,
  applyRowMaxMs: 60_000,
  /** A board that gathers waits this long after a run for what its agents sent last. */
  gatherGraceMs: 100,
  gatheredRuns: 200,
  /** Commands that apply remembers for failures that come late, and for repeats. */
  appliedMemory: 1_000,
  /** Sensors: nesting and properties of one value, sources kept, events of one batch, messages that wait. */
  eventDepth: 8,
  eventProperties: 200,
  eventSources: 1_000,
  batchEvents: 500,
  eventQueue: 1_000,
  eventIdMemory: 1_000,
  sensorTextChars: 1_000,
  /** Over a restart: longest value kept, longest time between a change and its writing, longest wait for what was kept. */
  keptValueChars: 2_000,
  senseSaveMs: 1_000,
  senseLoadMs: 5_000,
  /** Away for no longer, a rule that has told is taken to hold still; a wait that ended longer ago is not told any more. */
  senseGapMs: 60_000,
  senseOverdueMs: 3_600_000,
  /** Bad messages: one report a minute for each kind, payloads shown up to this length, replies a second. */
  badReportEveryMs: 60_000,
  badPayloadChars: 200,
  badRepliesPerSecond: 10,
  /** Replies to bad messages that wait for their turn; more are dropped and counted. */
  badRepliesWaiting: 100,
  /** Kinds (topic, reason) of bad messages told apart; the rest is one kind. */
  badKinds: 200,
  /** Ids of requests remembered, in memory and in the store, and the characters of their replies. */
  requestIdMemory: 10_000,
  requestIdExpiryMs: 24 * 3_600_000,
  requestReplyMemoryChars: 4_000_000,
  /** How deep arrays and objects of foreign JSON may nest. */
  jsonDepth: 32,
  /** A requester's own subscription may be younger than its request: no reply sooner than this. */
  replyFirstMs: 100,
  repliesOpen: 1_000,
  /** What follows a gap in a reply waits so long, and so many parts, for what is missing (seed-contracts.md A5). */
  replyGapMs: 1_500,
  replyGapParts: 50,
  /** Agents that answer one request over the broker. */
  repliesPerRequest: 50,
  /** A requester gives up after this silence: a home's own end of a run comes sooner. */
  replySilenceMs: 320_000,
  /** Once one agent's answer is whole, others that began may be silent so long. */
  replyUnfinishedMs: 30_000,
  /** Once all that began are whole, another agent may begin within this time. */
  replySettleMs: 1_000,
  /** Who only declines waits so long for another's answer, while strangers answer on this broker. */
  declineGraceMs: 4_000,
  /** Strangers that answered on this broker are remembered so long. */
  foreignResponderMs: 7 * 24 * 3_600_000,
  /** Longest reply to a person, and most parts of it. */
  replyChars: 64_000,
  replyParts: 2_000,
  closeWaitMs: 2_500,
  /** What a deploy releases waits this long to be taken over: connections, and requests that came meanwhile. */
  deployLingerMs: 10_000,
  /** Messages of one subscription that wait for it. */
  deployHeld: 100,
  /** After a deploy, whoever takes requests is there sooner than this, or not at all. */
  takerWaitMs: 1_000,
  /** Memory: characters of one, how many of one person and in one store, most and usual count recalled. */
  memoryChars: 2_000,
  memoriesPerPerson: 1_000,
  memoriesPerStore: 5_000,
  memoryResults: 20,
  memoryResultsUsual: 3,
  /** Least likeness to what is asked for, 0 to 1, of what is recalled. */
  memoryThreshold: 0.3,
  /** A language: functions, parameters of one, allowed values of one parameter, synonyms of a function or a value. */
  languageFunctions: 500,
  functionParameters: 32,
  allowedValues: 1_000,
  synonyms: 8,
  /** What one call may bring with it, in all. */
  consequences: 20,
  /** Runs that are kept to be watched; of each: steps, asks of one step, commands, events, characters of a text and of a reply. */
  watchedRuns: 100,
  watchedSteps: 40,
  watchedCalls: 20,
  watchedCommands: 50,
  watchedEvents: 5,
  watchedTextChars: 1_000,
  watchedReplyChars: 4_000,
  /** Those who watch are told of changes so often at most. */
  watchedEveryMs: 200,
  /** Minutes of a conversation: rows that are read (the newest), names, characters of one message and of what the summary says again. */
  minutesRows: 500,
  minutesActors: 50,
  minutesTextChars: 2_000,
  minutesSummaryChars: 200,
  /** Ids of system events remembered: the same one is told once. */
  systemEventMemory: 1_000,
  /** What sensors told is forgotten after this long; written to the store this often at most; sources and values of one. */
  stateExpiryMs: 30 * 24 * 3_600_000,
  stateSaveMs: 1_000,
  stateSources: 1_000,
  stateProperties: 200,
  /** Counters are published this often, and after a change no more often than this. */
  metricsEveryMs: 60_000,
  metricsChangeMs: 1_000,
  /** How far ahead of our clock a control message may be. */
  controlAheadMs: 10 * 60_000,
  /** Who is or was here: entries of each kind, how long one is remembered, characters of a name, writing it down. */
  registryEntries: 500,
  registryAgeMs: 30 * 24 * 3_600_000,
  registryNameChars: 100,
  registrySaveMs: 2_000,
  /** Where a bus has no last will: seconds after which presence is said again. */
  presenceRepeatSeconds: 20,
  /** Longest wait for what a broker has retained. */
  registryReadyMs: 2_000,
  /** Somebody who asked within this time is here. */
  userHereMs: 15 * 60_000,
  /** Asks from the bus: in work at once, and answers remembered for one that comes again. */
  directedAsksOpen: 50,
  directedAnswers: 500,
  /** One whose agent was made anew is asked again so often, and so long after it was cut off. */
  directedAskAgain: 3,
  directedAgainMs: 1_000,
  /** A card of ours that another one overwrites is put back so often, then this one takes another name. */
  cardContests: 3,
  /** Findings told to a model at once. */
  findings: 8,
} as const;
