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
} from '../instrument/instrument-subject.ts'
import type { Subject, SubjectFiles } from '../run/offline-runner.ts'
import { type FileCoverage, fileCoverage } from './file-coverage.ts'
import { type InstrumentedCode, instrument } from './instrument.ts'

/** Counts what tests pass of the code they run. */
export interface Coverage {
  /** For the runner that runs instrumented subjects: `createOfflineRunner({ probes, limits })`. */
  readonly probes: Probes
  /**
   * The same subject with probes in its code and libraries. What it comes to must not be the verdict of a test: its error
   * texts have other columns and it is slower. So each case runs twice, as it is and instrumented.
   *
   * A file that several subjects share adds up. Of a file whose code has changed since, the new code counts, from 0 on.
   */
  subject(subject: Subject, files?: SubjectFiles): Promise<Subject>
  /** What was passed so far, by file, in the order of the names. */
  read(): readonly FileCoverage[]
  readonly uncounted: readonly UncountedFile[]
  /** Frees the parser of types. */
  close(): Promise<void>
}

interface CountedFile {
  readonly code: string
  readonly instrumented: Promise<Instrumented<InstrumentedCode>>
}

/** Some hundred transformations of 100 lines. */
const defaultProbesMax = 32_768

/**
 * @param probesMax places that are counted at most; files beyond are named in `uncounted`. Each takes 4 bytes of the memory
 * of user code.
 */
export function createCoverage({ probesMax = defaultProbesMax }: { readonly probesMax?: number } = {}): Coverage {
  const probes = createProbes(probesMax)
  const stripper = createTypeStripper()
  const files = new Map<string, CountedFile>()
  /** By file, what is known of it by now. */
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

/** Limits for instrumented code: the same, with ten times the time, since counting takes some. */
export function instrumentedLimits(limits: Partial<SandboxLimits> = {}): Partial<SandboxLimits> {
  const slower = { eventTimeMs: 0, batchTimeMs: 0, asyncTimeMs: 0 }
  const keys = Object.keys(slower) as (keyof typeof slower)[]
  for (const key of keys) slower[key] = (limits[key] ?? defaultSandboxLimits[key]) * 10
  return { ...limits, ...slower }
}
