import type { Event } from '@sluice/core'
import { type FigureResult, printFigures } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import { measureRealWay, type RealWaySetup } from './endtoend/real-way.ts'

const corpus = loadCorpus()
const only = process.env['BENCH_ONLY'] ?? ''
const figures: FigureResult[] = []

/** Events of about so many bytes: those of the corpus, with a text that makes up the rest. */
function eventsOf(bytes: number): readonly Event[] {
  return corpus.events.map((event) => {
    const rest = Math.max(0, bytes - JSON.stringify(event).length)
    return { ...event, properties: { ...(event['properties'] as object), filler: 'x'.repeat(rest) } }
  })
}

/** A point of a curve. What it leaves out is one workspace with one webhook, and calls of 20 events of the corpus. */
interface Point
  extends Partial<Pick<RealWaySetup, 'events' | 'callEvents' | 'destinations' | 'workspaces' | 'waitingEvents'>> {
  readonly name: string
  /** Events in each round: fewer where each costs more. */
  readonly roundEvents: number
}

const points: readonly Point[] = [
  { name: 'calls of 1', callEvents: 1, roundEvents: 3_000 },
  { name: 'calls of 20', callEvents: 20, roundEvents: 10_000 },
  { name: 'calls of 200', callEvents: 200, roundEvents: 10_000 },
  { name: '10 destinations', destinations: 10, roundEvents: 2_000 },
  { name: '50 destinations', destinations: 50, roundEvents: 400 },
  { name: '100 workspaces', workspaces: 100, roundEvents: 10_000 },
  { name: 'events of 10 KB', events: eventsOf(10_000), roundEvents: 4_000 },
  { name: 'nothing waiting', waitingEvents: 0, roundEvents: 10_000 },
  { name: '1 M waiting', waitingEvents: 1_000_000, roundEvents: 10_000 },
  { name: '10 M waiting', waitingEvents: 10_000_000, roundEvents: 10_000 },
  { name: 'events of 100 KB', events: eventsOf(100_000), callEvents: 5, roundEvents: 500 },
]

/** How the cost of an event grows with its surroundings: what grows faster than its work is a fault. */
async function measureCurves(): Promise<void> {
  if (process.platform !== 'linux') return void process.stderr.write('curves: skipped, because they need /proc\n')
  for (const { name, roundEvents, ...point } of points) {
    if (!name.includes(only)) continue
    const { sluice, ratio } = await measureRealWay({
      events: corpus.events,
      callEvents: 20,
      ...point,
      roundEvents,
      rounds: 3,
    })
    const deliveries = point.destinations ?? 1
    const figure = (what: string, value: number, unit: string): void => {
      figures.push({ name: `${name}: ${what}`, value, unit, goal: 'none' })
    }
    figure('CPU per delivery', sluice.cpuMicroseconds / deliveries, 'µs')
    figure('CPU per delivery ÷ that of the least program', ratio / deliveries, 'x')
    figure('peak memory', sluice.peakMb, 'MiB')
  }
}

await measureCurves()
await printFigures('How does the cost of the real way grow?', corpus, figures)
