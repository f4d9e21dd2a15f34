import {
  createProbes,
  createTypeStripper,
  defaultSandboxLimits,
  type Probes,
  type SandboxLimits,
} from '@sluice/sandbox'
import {
  type Instrumented,
  instrumentTypeless,
  replaceCodes,
  type UncountedFile,
} from '../instrument/instrument-typeless.ts'
import type { Subject, SubjectFiles } from '../run/offline-run.ts'
import { type FileCoverage, fileCoverage } from './file-coverage.ts'
import { type InstrumentedCode, instrument } from './instrument.ts'

/** Measures how much of the code the tests execute. */
export interface Coverage {
  /** Probes for the runner of instrumented subjects: `createOfflineRunner({ probes, limits })`. */
  readonly probes: Probes
  /**
   * Returns the subject with probes in its code and libraries. Do not use its results as test results: its error
   * messages have other columns, and it is slower. So each case runs twice, unchanged and instrumented.
   *
   * Counts of a file shared by several subjects add up. If the code of a file has changed, counting restarts at 0.
   */
  subject(subject: Subject, files?: SubjectFiles): Promise<Subject>
  /** Returns the coverage so far by file, ordered by name. */
  read(): readonly FileCoverage[]
  readonly uncounted: readonly UncountedFile[]
  /** Releases the type parser. */
  close(): Promise<void>
}

interface CountedFile {
  readonly code: string
  readonly instrumented: Promise<Instrumented<InstrumentedCode>>
}

/** Enough for some hundred transformations of 100 lines. */
const defaultProbesMax = 32_768

/**
 * @param probesMax most places to count; further files are listed in `uncounted`. Each place takes 4 bytes of user
 * code's memory.
 */
export function createCoverage({ probesMax = defaultProbesMax }: { readonly probesMax?: number } = {}): Coverage {
  const probes = createProbes(probesMax)
  const stripper = createTypeStripper()
  const files = new Map<string, CountedFile>()
  /** Instrumented code by file. */
  const known = new Map<string, Instrumented<InstrumentedCode>>()

  const nextProbe = (): number => {
    const probe = probes.take(1)
    if (probe === undefined) throw new RangeError(`more than ${probesMax} places would have to be counted`)
    return probe
  }

  async function counted(file: string, code: string): Promise<string> {
    const before = files.get(file)
    const instrumented =
      before?.code === code
        ? before.instrumented
        : instrumentTypeless(code, stripper, (text) => instrument(text, nextProbe))
    files.set(file, { code, instrumented })
    const result = await instrumented
    if (files.get(file)?.instrumented === instrumented) known.set(file, result)
    return 'problem' in result ? code : result.code
  }

  return {
    probes,
    subject: (subject, names = {}) => replaceCodes(subject, names, counted),
    read: () =>
      [...known]
        .flatMap(([file, one]) => ('problem' in one ? [] : [fileCoverage(file, one.places, probes.hits)]))
        .sort((a, b) => (a.file < b.file ? -1 : 1)),
    get uncounted() {
      return [...known].flatMap(([file, one]) => ('problem' in one ? [{ file, reason: one.problem }] : []))
    },
    close: () => stripper.close(),
  }
}

/** Returns limits for instrumented code: the same, with ten times the time, because counting takes time. */
export function instrumentedLimits(limits: Partial<SandboxLimits> = {}): Partial<SandboxLimits> {
  const slower = { eventTimeMs: 0, batchTimeMs: 0, asyncTimeMs: 0 }
  const keys = Object.keys(slower) as (keyof typeof slower)[]
  for (const key of keys) slower[key] = (limits[key] ?? defaultSandboxLimits[key]) * 10
  return { ...limits, ...slower }
}
