import type { GuestFetch } from '@sluice/sandbox'
import { OfflineLoadError, type Subject } from '../run/offline-run.ts'
import { createOfflineRunner, type OfflineRunner, type OfflineRunnerOptions } from '../run/offline-runner.ts'
import { createCoverage, instrumentedLimits } from './coverage.ts'
import type { FileCoverage } from './file-coverage.ts'

/** A runner that counts which code is executed. */
export interface CountedRunner extends OfflineRunner {
  /** Adds code to the report that may never run, so that code no test executes is reported too. */
  include(subject: Subject): Promise<void>
  /** Returns the coverage so far of the subjects that name their files. */
  coverage(): readonly FileCoverage[]
  /** Files that cannot be counted, with the reason. */
  uncounted(): readonly { readonly file: string; readonly reason: string }[]
}

/**
 * Creates a runner that runs everything twice: unchanged for the result, and with probes for counting only. So limits,
 * error messages and places are those of production. The second run gets the recorded `fetch` responses of the first,
 * and skips events that timed out.
 * @throws RangeError when an option is out of range.
 */
export async function createCountedRunner(options: Omit<OfflineRunnerOptions, 'probes'> = {}): Promise<CountedRunner> {
  const coverage = createCoverage()
  const plain = await createOfflineRunner(options)
  const limits = instrumentedLimits(options.limits)
  const counting = await createOfflineRunner({ ...options, code: 'untrusted', limits, probes: coverage.probes })
  return {
    async run(subject, events, conditions = {}) {
      const heard = conditions.fetch && repeatable(conditions.fetch)
      const result = await plain.run(subject, events, { ...conditions, ...(heard && { fetch: heard.first }) })
      if (subject?.files === undefined) return result
      const { destination: _, ...rest } = conditions
      const counted = await coverage.subject(subject, subject.files)
      // With probes they would run for ten times the limit, with the same result.
      const inTime = events.filter((_, index) => result.endings[index]?.error?.code !== 'transform.timeout')
      await counting.run(counted, inTime, { ...rest, ...(heard && { fetch: heard.again }) }).catch((error: unknown) => {
        // The unchanged code did load, so only counting is skipped.
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

/** Records the responses of a fetch, to replay them in the same order. */
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
      return next ?? Promise.reject(new Error(`${url} was not fetched in the first run`))
    },
  }
}
