import { execFileSync } from 'node:child_process'
import type { BenchCase, CaseResult, Measure, OpenCase } from './bench-case.ts'
import { type Corpus, loadCorpus } from './corpus.ts'
import { measureEach, timeOf } from './measure-each.ts'
import type { CurvePoint } from './plot/curve-point.ts'

/** Something to measure that is not a time per event. Each is measured in a process of its own. */
export interface Figure {
  readonly name: string
  readonly unit: string
  readonly goal: string
  measure(): Promise<number>
}

export interface FigureResult extends Omit<Figure, 'measure'> {
  readonly value: number
}

export interface BenchResult {
  readonly question: string
  readonly corpus: string
  readonly rtMicroseconds: number
  readonly peakMemoryMb: number
  readonly cases: readonly CaseResult[]
  readonly figures: readonly FigureResult[]
  /** What `--plot` draws. */
  readonly curves?: readonly CurvePoint[]
}

/**
 * Measures the cases in this process, and prints the result as one line of JSON for `main.ts`. With BENCH_ONLY, only cases and figures whose name has that text.
 * @param summarize gives figures that follow from the cases.
 * @param measure default: one case after the other, each made when its turn comes and closed before the next one.
 */
export async function runBench(
  question: string,
  cases: (corpus: Corpus) => readonly BenchCase[],
  figures: readonly Figure[] = [],
  summarize: (cases: readonly CaseResult[]) => readonly FigureResult[] = () => [],
  measure: Measure = measureEach,
): Promise<void> {
  const asked = figures.find(({ name }) => name === process.env['BENCH_FIGURE'])
  if (asked) {
    process.stdout.write(String(await asked.measure()))
    return
  }
  const corpus = loadCorpus()
  const isWanted = ({ name }: { readonly name: string }): boolean => name.includes(process.env['BENCH_ONLY'] ?? '')
  const figured = figures
    .filter(isWanted)
    .map(({ measure: _, ...figure }): FigureResult => ({ ...figure, value: inFreshProcess(figure.name) }))
  const { cases: timed, rtSeconds } = await measure(cases(corpus).filter(isWanted), roundTripOf(corpus))
  const result: BenchResult = {
    question,
    corpus: corpus.name,
    rtMicroseconds: rtSeconds * 1e6,
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    cases: timed,
    figures: [...figured, ...summarize(timed)],
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
}

/** Prints the result of a bench that measures other processes, as one line of JSON for `main.ts`. */
export async function printFigures(
  question: string,
  corpus: Corpus,
  figures: readonly FigureResult[],
  curves?: readonly CurvePoint[],
): Promise<void> {
  const result: BenchResult = {
    question,
    corpus: corpus.name,
    rtMicroseconds: await measureRoundTrip(corpus),
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    cases: [],
    figures,
    ...(curves && { curves }),
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
}

/** RT, in microseconds, for benches that do not measure in this process. */
export async function measureRoundTrip(corpus: Corpus): Promise<number> {
  return 1e6 / (await timeOf('round trip', roundTripOf(corpus))).eventsPerSecond
}

function roundTripOf({ texts }: Corpus): OpenCase {
  return {
    events: texts.length,
    check: () => {},
    run: () => {
      for (const text of texts) JSON.stringify(JSON.parse(text))
    },
  }
}

/** Nothing measured before has made that process larger, or its memory reusable. */
function inFreshProcess(figure: string): number {
  const [, script = ''] = process.argv
  const env = { ...process.env, BENCH_FIGURE: figure }
  return Number(execFileSync(process.execPath, [...process.execArgv, script], { env, encoding: 'utf8' }))
}
