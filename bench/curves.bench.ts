import type { Event } from '@sluice/core'
import { type FigureResult, printFigures } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import { measureRealWay, type RealWay, type RealWaySetup } from './endtoend/real-way.ts'
import type { CurvePoint } from './plot/curve-point.ts'

const corpus = loadCorpus()
const only = process.env['BENCH_ONLY'] ?? ''

/** Events of about so many bytes: those of the corpus, with a text that makes up the rest. */
function eventsOf(bytes: number): readonly Event[] {
  return corpus.events.map((event) => {
    const rest = Math.max(0, bytes - JSON.stringify(event).length)
    return { ...event, properties: { ...(event['properties'] as object), filler: 'x'.repeat(rest) } }
  })
}

/** What it leaves out is one workspace with one webhook, calls of 20 events of the corpus, and a log in which nothing waits. */
interface Surroundings
  extends Partial<Pick<RealWaySetup, 'events' | 'callEvents' | 'destinations' | 'workspaces' | 'waitingEvents'>> {
  /** Events in each round: fewer where each costs more. */
  readonly roundEvents: number
}

/** Where all curves but the last one meet. It is measured once. */
const usual: Surroundings = { roundEvents: 10_000 }

/** Each axis, and the points on it. */
const axes: Readonly<Record<string, Readonly<Record<string, Surroundings>>>> = {
  'events per call': {
    '1': { callEvents: 1, roundEvents: 3_000 },
    '20': usual,
    '200': { callEvents: 200, roundEvents: 10_000 },
  },
  destinations: {
    '1': usual,
    '10': { destinations: 10, roundEvents: 2_000 },
    '50': { destinations: 50, roundEvents: 400 },
  },
  workspaces: {
    '1': usual,
    '10': { workspaces: 10, roundEvents: 10_000 },
    '100': { workspaces: 100, roundEvents: 10_000 },
  },
  'size of an event': {
    '1.4 KB': usual,
    '10 KB': { events: eventsOf(10_000), roundEvents: 4_000 },
    '100 KB': { events: eventsOf(100_000), callEvents: 5, roundEvents: 500 },
  },
  'events waiting elsewhere': {
    '0': { waitingEvents: 0, roundEvents: 10_000 },
    '1 M': { waitingEvents: 1_000_000, roundEvents: 10_000 },
    '10 M': { waitingEvents: 10_000_000, roundEvents: 10_000 },
  },
}

const measured = new Map<Surroundings, RealWay>()

async function measure(surroundings: Surroundings): Promise<RealWay> {
  const known = measured.get(surroundings)
  if (known) return known
  const way = await measureRealWay({ events: corpus.events, callEvents: 20, ...surroundings, rounds: 3 })
  measured.set(surroundings, way)
  return way
}

/** How the cost of an event grows with its surroundings: what grows faster than its work is a fault. */
async function measureCurves(): Promise<readonly CurvePoint[]> {
  const points: CurvePoint[] = []
  for (const [axis, places] of Object.entries(axes))
    for (const [at, surroundings] of Object.entries(places)) {
      if (!`${axis}: ${at}`.includes(only)) continue
      process.stderr.write(`${axis}: ${at} …\n`)
      const { sluice, least } = await measure(surroundings)
      points.push({
        axis,
        at,
        cpuMicroseconds: sluice.cpuMicroseconds / (surroundings.destinations ?? 1),
        leastMicroseconds: least.cpuMicroseconds,
        peakMb: sluice.peakMb,
      })
    }
  return points
}

function figuresOf({ axis, at, cpuMicroseconds, leastMicroseconds, peakMb }: CurvePoint): readonly FigureResult[] {
  const figure = (what: string, value: number, unit: string): FigureResult => ({
    name: `${axis}: ${at}: ${what}`,
    value,
    unit,
    goal: 'none',
  })
  return [
    figure('CPU per delivery', cpuMicroseconds, 'µs'),
    figure('CPU per delivery ÷ that of the least program', cpuMicroseconds / leastMicroseconds, 'x'),
    figure('peak memory', peakMb, 'MiB'),
  ]
}

if (process.platform === 'linux') {
  const curves = await measureCurves()
  await printFigures('How does the cost of the real way grow?', corpus, curves.flatMap(figuresOf), curves)
} else {
  process.stderr.write('curves: skipped, because they need /proc\n')
  await printFigures('How does the cost of the real way grow?', corpus, [])
}
