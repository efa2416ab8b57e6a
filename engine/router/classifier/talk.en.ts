/** Small talk in English, as whole sentences or parts of them, and what is said to it. */
const nice =
  'good|great|nice|lovely|perfect|brilliant|awesome|amazing|wonderful|fantastic|excellent|cool|super|neat|sweet|helpful|quick|fast|kind|funny|clever|smart';

export const smallTalk: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:so )?how (?:are you|is it going|are things|do you do)\b(?: (?:doing|today|this morning|tonight|feeling|then))*$/,
    'I am fine, thank you. What can I do for you?',
  ],
  [
    /^(?:what is up|how was your (?:day|night)|did you sleep well|sleep well)$/,
    'All is well here. What can I do for you?',
  ],
  [
    /^(?:good ?night|bye|bye bye|goodbye|see you|see ya|so long|farewell|take care|have a (?:good|nice|lovely|great) (?:day|evening|night|time|one|weekend))(?: (?:later|tomorrow|soon|then|all|everyone|everybody|house|now|for now|around))*$/,
    'Goodbye!',
  ],
  [
    new RegExp(`^(?:that|this|it) (?:is|was) (?:so |really |very |too |pretty )*(?:${nice})(?: of you)?$`),
    'You are welcome.',
  ],
  [
    new RegExp(
      `^you are (?:so |really |very |the |too |a )*(?:${nice}|best|star|treasure|legend|gem|darling|angel)(?: house)?(?: ever)?$`,
    ),
    'Thank you!',
  ],
  [
    new RegExp(
      `^(?:well done|good job|nice one|nice work|great work|great job|good one|love it|i love it|i love you|${nice}|wow|haha+|hahaha+|lol|hooray|yay)$`,
    ),
    'Thank you!',
  ],
];
