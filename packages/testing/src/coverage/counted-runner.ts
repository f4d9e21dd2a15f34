import type { GuestFetch } from '@sluice/sandbox'
import {
  createOfflineRunner,
  OfflineLoadError,
  type OfflineRunner,
  type OfflineRunnerOptions,
  type Subject,
} from '../run/offline-runner.ts'
import { createCoverage, instrumentedLimits } from './coverage.ts'
import type { FileCoverage } from './file-coverage.ts'

/** A runner that counts what of the code is passed. */
export interface CountedRunner extends OfflineRunner {
  /** Has code in the report that nothing may ever run: with it, what no test passes is told too. */
  include(subject: Subject): Promise<void>
  /** What was passed so far of the subjects that name their files. */
  coverage(): readonly FileCoverage[]
  /** Files that cannot be counted, with the reason. */
  uncounted(): readonly { readonly file: string; readonly reason: string }[]
}

/**
 * Makes a runner that runs everything twice: as it is, which is the answer, and with probes, which is only counted. So limits,
 * error texts and places are those of production. The second run is given the answers that `fetch` had in the first one, and
 * no events that ran out of time.
 * @throws RangeError when an option is out of range.
 */
export async function createCountedRunner(options: Omit<OfflineRunnerOptions, 'probes'> = {}): Promise<CountedRunner> {
  const coverage = createCoverage()
  const plain = await createOfflineRunner(options)
  const limits = instrumentedLimits(options.limits)
  const counting = await createOfflineRunner({ ...options, limits, probes: coverage.probes })
  return {
    async run(subject, events, conditions = {}) {
      const heard = conditions.fetch && repeatable(conditions.fetch)
      const result = await plain.run(subject, events, { ...conditions, ...(heard && { fetch: heard.first }) })
      if (subject?.files === undefined) return result
      const { destination: _, ...rest } = conditions
      const counted = await coverage.subject(subject, subject.files)
      // With probes they would run for ten times the limit, to end in the same way.
      const inTime = events.filter((_, index) => result.endings[index]?.error?.code !== 'transform.timeout')
      await counting.run(counted, inTime, { ...rest, ...(heard && { fetch: heard.again }) }).catch((error: unknown) => {
        // It did load as it is; then it is not counted.
        if (!(error instanceof OfflineLoadError)) throw error
      })
      return result
    },
    include: async (subject) => {
      await coverage.subject(subject, subject.files)
    },
    coverage: () => coverage.read(),
    uncounted: () => coverage.uncounted,
    async close() {
      await Promise.all([plain.close(), counting.close(), coverage.close()])
    },
  }
}

/** Keeps the answers of a fetch, to give them once more in the same order. */
function repeatable(fetch: GuestFetch): { readonly first: GuestFetch; readonly again: GuestFetch } {
  const answers = new Map<string, ReturnType<GuestFetch>[]>()
  return {
    first: (url, request, signal) => {
      const answer = fetch(url, request, signal)
      const key = JSON.stringify([url, request])
      answers.set(key, [...(answers.get(key) ?? []), answer])
      return answer
    },
    again: (url, request) => {
      const known = answers.get(JSON.stringify([url, request]))
      const next = known?.shift()
      return next ?? Promise.reject(new Error(`${url} was not asked for in the first run`))
    },
  }
}
