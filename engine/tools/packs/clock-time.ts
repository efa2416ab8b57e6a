/** The time here, and when the sun rises and sets: from the system's clock and, with SunCalc, from where the house stands. */
import type { Clock } from '../../clock.ts';
import { folkmootError } from '../../errors.ts';
import type { BuiltInTool } from './local-system.ts';

export interface Place {
  /** Degrees; north and east are positive. */
  readonly latitude: number;
  readonly longitude: number;
}

const tool = (settings: Omit<BuiltInTool['settings'], 'risk' | 'effect' | 'timeoutMs'>, run: BuiltInTool['run']) => ({
  settings: { risk: 'read' as const, effect: false, timeoutMs: 5_000, ...settings },
  run,
});

const two = (value: number): string => String(value).padStart(2, '0');
const clockTime = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** In the time zone of the system. */
export function timeTools(clock: Clock, place?: Place): readonly BuiltInTool[] {
  const now = tool(
    {
      name: 'CurrentTime',
      description: 'Tells what time and what day it is now, here',
      synonyms: ['what time', 'what day', 'date today', 'clock'],
      parameters: [],
      result: 'time, day of the week and date',
      sentence: 'it is {time} on {day}, {date}',
    },
    () => {
      const date = new Date(clock.now());
      const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
      return Promise.resolve({ time: clockTime(date), day: days[date.getDay()], date: day });
    },
  );
  return place ? [now, sunTool(clock, place)] : [now];
}

function sunTool(clock: Clock, { latitude, longitude }: Place): BuiltInTool {
  return tool(
    {
      name: 'SunTimes',
      description: 'Tells when the sun rises and sets today, and when it gets light and dark',
      synonyms: ['sunrise', 'sunset', 'dawn', 'dusk', 'get dark', 'get light'],
      parameters: [],
      result: 'dawn, sunrise, sunset and dusk as local times; none of them where the sun does not rise or set',
      sentence: '[the sun rises at {sunrise}][ and sets at {sunset}][; it is light from {dawn}][ and dark from {dusk}]',
    },
    async () => {
      const { getTimes } = await sunCalc();
      const times = getTimes(new Date(clock.now()), latitude, longitude);
      const named = { dawn: times.dawn, sunrise: times.sunrise, sunset: times.sunset, dusk: times.dusk };
      return Object.fromEntries(
        Object.entries(named).flatMap(([name, at]) =>
          at && Number.isFinite(at.getTime()) ? [[name, clockTime(at)]] : [],
        ),
      );
    },
  );
}

async function sunCalc() {
  try {
    return await import('suncalc');
  } catch (error) {
    const what = 'The package for sun times is not installed: run "npm install suncalc" in the Node-RED folder.';
    throw folkmootError('FOLKMOOT_MISSING_PACKAGE', what, error);
  }
}
