/** The word lists of a human language: data only, no function of any house. Phrases are folded text, words apart by spaces. */

export interface Words {
  /** Before a thing they mean each one that there is; by themselves, what was asked for. */
  readonly every: readonly string[];
  /** Those that are said of two only. */
  readonly pairs: readonly string[];
  /** Those that mean one after the other, so that an amount is for each. */
  readonly apart: readonly string[];
  /** Those that need no thing behind them. */
  readonly everything: readonly string[];
  readonly everywhere: readonly string[];
  /** Before one of `homes`: all of it. */
  readonly entire: readonly string[];
  /** Behind them a verb begins a clause of its own. */
  readonly joining: readonly string[];
  /** They say what is not meant, in an answer. */
  readonly denying: readonly string[];
  /** Before a place that stands in front of a verb. */
  readonly inFront: readonly string[];
  /** Endings by which a word says more of something. */
  readonly comparing: readonly string[];
  /** Words of a description behind the things that a function is for. */
  readonly behindThings: readonly string[];
  /** Words that mean nothing by themselves. */
  readonly small: readonly string[];
  /** Several words that mean nothing together; taken out of a request wherever they stand. */
  readonly fillers: readonly string[];
  /** What stands before a request for politeness, and is taken off. */
  readonly before: readonly string[];
  /** What stands after a request for politeness, and is taken off. */
  readonly after: readonly string[];
  /** Verbs that any function may be asked with, as long as something else says which. */
  readonly lightVerbs: readonly string[];
  /** With "a" and a verb behind, as in "give it a wash". */
  readonly givingVerbs: readonly string[];
  /** Said by themselves they take back everything. */
  readonly withdrawals: readonly string[];
  /** They make a clause one of what shall not be done. */
  readonly negators: readonly string[];
  /** Those negators that reach over a following "and". */
  readonly spreading: readonly string[];
  /** They show that a clause behind a negated one is meant. */
  readonly contrasts: readonly string[];
  /** Words that belong to a negation and to nothing else. */
  readonly aroundNegation: readonly string[];
  /** Words that no description, name or category can explain. */
  readonly neverExplained: readonly string[];
  readonly questionWords: readonly string[];
  /** Question words that begin a condition, unless a verb that begins a question follows. */
  readonly conditional: readonly string[];
  /** Verbs that begin a question. */
  readonly inverted: readonly string[];
  /** Words that a question may hold when a function only reads. */
  readonly inQuestions: readonly string[];
  /** Verbs that ask for what a function reads, as a question does. */
  readonly showing: readonly string[];
  /** A clause that is one of these tells a circumstance and asks for nothing. */
  readonly circumstances: readonly string[];
  /** They begin a clause that gives a reason and asks for nothing, whatever its words are but for `retractors`. */
  readonly reasons: readonly string[];
  readonly retractors: readonly string[];
  /** With one more word, and perhaps one of `feelingTails`, they tell a circumstance. */
  readonly feelings: readonly string[];
  readonly feelingTails: readonly string[];
  /** Words that may begin the next clause. */
  readonly connectors: readonly string[];
  /** Words that may stand between two values of a list. */
  readonly listWords: readonly string[];
  readonly or: readonly string[];
  /** Values that mean none of a level ("off"), and some of it ("on"). */
  readonly nothing: readonly string[];
  readonly something: readonly string[];
  /** Words for an end of a range that a number may make less of: "open to 40 %", "lower to 30 %", but not "close". */
  readonly gradual: readonly string[];
  /** A number behind them may be the time. */
  readonly beforeTimes: readonly string[];
  /** Verbs and particles that lead away from the lowest, or from the highest value. */
  readonly rising: readonly string[];
  readonly falling: readonly string[];
  /** With a bare number they leave open whether it is a value or a difference. */
  readonly shifting: readonly string[];
  /** A number behind them is a value. */
  readonly beforeValues: readonly string[];
  /** With "of" or "the" behind they mean a part of several things. */
  readonly parts: readonly string[];
  /** Values that are never a list: a thing has one of them. */
  readonly levels: readonly string[];
  /** Negators that say how something shall be. */
  readonly keeping: readonly string[];
  /** Before other values for what was just said; alone they take it back. */
  readonly corrections: readonly string[];
  readonly there: readonly string[];
  readonly it: readonly string[];
  /** Particles that are prepositions when a value follows. */
  readonly prepositions: readonly string[];
  /** From where something comes, and where it goes. */
  readonly origins: readonly string[];
  readonly goals: readonly string[];
  /** Units of what has a level at any time, unlike litres or minutes. */
  readonly levelUnits: readonly string[];
  /** Verbs behind which "out" and "off" say where a thing goes, not how it shall be. */
  readonly carrying: readonly string[];
  /** Behind a statement and with a question mark they ask whether it is so. */
  readonly tags: readonly string[];
  /** They may stand before a person. */
  readonly toPersons: readonly string[];
  /** Where the persons of a house are: "everyone at home". */
  readonly homes: readonly string[];
  /** Right before a number they make it a difference instead of a value. */
  readonly relative: readonly string[];
  /** Directions that mean nothing when one of `towards` follows. */
  readonly directions: readonly string[];
  readonly towards: readonly string[];
  /** They introduce a name. */
  readonly naming: readonly string[];
  /** They introduce what shall be told. */
  readonly telling: readonly string[];
  /** Verbs of telling that take no person. */
  readonly announcing: readonly string[];
  /** Before a particle they say that it was so before: "back on". */
  readonly returning: readonly string[];
  /** To whom something may be told. */
  readonly persons: readonly string[];
  /** They may stand beside persons: "everyone in the house". */
  readonly aroundPersons: readonly string[];
  readonly determiners: readonly string[];
  /** Persons that mean who speaks. */
  readonly speakers: readonly string[];
  /** Verbs that make a statement of some words. */
  readonly stating: readonly string[];
  /** Words that begin something else than a statement. */
  readonly noStatement: readonly string[];
  /** Thanks that are never part of what is told. */
  readonly thanks: readonly string[];
  /** After 's they show that it is short for "is". */
  readonly afterShortIs: readonly string[];
  /** Endings that make another form of a word, which is no typing error then. */
  readonly endings: readonly string[];
  readonly contractions: Readonly<Record<string, string>>;
  readonly numerals: Readonly<Record<string, number>>;
  readonly units: Readonly<Record<string, readonly string[]>>;
  /** Time units in seconds, for durations that spill from one parameter into the next. */
  readonly seconds: Readonly<Record<string, number>>;
  /** Ways to ask what can be done. */
  readonly abilities: readonly string[];
  /** What needs no more than a friendly word. */
  readonly greetings: readonly string[];
}
