import {
  createProbes,
  createTypeStripper,
  defaultSandboxLimits,
  type Probes,
  type SandboxLimits,
} from '@sluice/sandbox'
import type { Subject } from '../run/offline-runner.ts'
import type { CodePlaces } from './code-places.ts'
import { type FileCoverage, fileCoverage } from './file-coverage.ts'
import { instrument } from './instrument.ts'

/** What reports call the code of a subject; what is absent goes by its own name. */
export interface SubjectFiles {
  readonly main?: string
  /** By name of the library. */
  readonly libraries?: Readonly<Record<string, string>>
}

/** Code that no probes were put into: it runs as it is and is not in the report. */
export interface UncountedFile {
  readonly file: string
  readonly reason: string
}

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
  readonly instrumented: string
  readonly places: CodePlaces | undefined
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
  const files = new Map<string, Promise<CountedFile>>()
  const codes = new Map<string, string>()
  const counted = new Map<string, CountedFile>()
  const uncounted = new Map<string, string>()

  const nextProbe = (): number => {
    const probe = probes.take(1)
    if (probe === undefined) throw new RangeError(`more than ${probesMax} places would have to be counted`)
    return probe
  }

  async function count(file: string, code: string): Promise<CountedFile> {
    let result = instrument(code, nextProbe)
    if ('problem' in result) {
      const typeless = await stripper.strip(code)
      // The parser that knows types tells what is wrong of code that has some.
      if (!typeless.ok) result = { problem: typeless.message }
      else if (typeless.code !== code) result = instrument(typeless.code, nextProbe)
    }
    if ('problem' in result) {
      uncounted.set(file, result.problem)
      return { code, instrumented: code, places: undefined }
    }
    uncounted.delete(file)
    return { code, instrumented: result.code, places: result.places }
  }

  async function codeOf(file: string, code: string): Promise<string> {
    if (codes.get(file) !== code) {
      codes.set(file, code)
      files.set(file, count(file, code))
    }
    const result = await files.get(file)
    if (result === undefined) return code
    if (codes.get(file) === code) counted.set(file, result)
    return result.code === code ? result.instrumented : code
  }

  return {
    probes,
    async subject(subject, { main = subject.name, libraries: named = {} } = {}) {
      const code = await codeOf(main, subject.code)
      const libraries: NonNullable<Subject['libraries']>[number][] = []
      for (const library of subject.libraries ?? []) {
        const file = Object.hasOwn(named, library.name) ? named[library.name] : undefined
        libraries.push({ ...library, code: await codeOf(file ?? `library ${library.name}`, library.code) })
      }
      return { ...subject, code, libraries }
    },
    read: () =>
      [...counted]
        .flatMap(([file, { places }]) => (places ? [fileCoverage(file, places, probes.hits)] : []))
        .sort((a, b) => (a.file < b.file ? -1 : 1)),
    get uncounted() {
      return [...uncounted].map(([file, reason]) => ({ file, reason }))
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
