/** A house that somebody has paused over its connections: what people ask is refused in words. */
import type { AmicaRequest } from '../../engine/bus/amica.ts';
import type { AmicaDoor } from '../../engine/conversation/amica-door.ts';
import { forcedWords } from '../../engine/conversation/reply-words.ts';
import type { ControlState } from '../../engine/people/control.ts';
import type { Backbone } from '../backbone/lease.ts';
import { isPaused, reportingOf } from '../backbone/reporting.ts';

/** True when the request was refused. */
export function refusePaused(backbone: Backbone, door: Pick<AmicaDoor, 'desk'>, request: AmicaRequest): boolean {
  if (!isPaused(backbone)) return false;
  backbone.metrics.heldBack('paused');
  void door.desk.finish(request.messageId, forcedWords('paused'));
  return true;
}

/** Says each change, and at the start that it is paused. Gives what ends it. */
export function tellPaused(backbone: Backbone, say: (text: string) => void): () => void {
  const reporting = reportingOf(backbone);
  if (!reporting) return () => undefined;
  const { control } = reporting;
  let was: string | undefined;
  const tell = ({ paused, shadow, by }: ControlState) => {
    const what = `${paused ? 'The house is paused' : 'The house goes on'}${shadow ? ', in shadow: no command is sent' : ''}, by ${by}.`;
    const isPlain = !paused && !shadow && was === undefined;
    if (what !== was && !isPlain) say(what);
    was = what;
  };
  if (control.state) tell(control.state);
  const forget = control.onChange(tell);
  const unhear = reporting.onProblem((problem) => say(problem.message));
  return () => {
    forget();
    unhear();
  };
}
