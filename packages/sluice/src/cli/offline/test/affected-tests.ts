import { dirname, join } from 'node:path'
import {
  type CaseReport,
  type CaseSetup,
  checkLibraries,
  type LibraryReport,
  type Project,
  type ProjectTransformation,
  runProject,
  toSubject,
} from '@sluice/testing'
import { type Found, findProjects, notRunOf } from './find-projects.ts'
import { byRoot, runVitest, type VitestOutcome, type VitestSetup } from './run-vitest.ts'
import { stateOf, type TestFileInputs, testFileInputs } from './test-file-inputs.ts'
import type { TestOutcome } from './test-outcome.ts'

interface AffectedTestsSetup {
  readonly paths: readonly string[]
  readonly filter?: string
  readonly setup: CaseSetup
  readonly vitest: VitestSetup
  /** Called with each case when it has run. */
  onCase(report: CaseReport): void
}

/** Projects as they are now. */
interface FoundTests extends Found {
  readonly inputs: ReadonlyMap<string, TestFileInputs>
  /** Folders in which a change may affect a test. */
  readonly folders: ReadonlySet<string>
}

/** How much a run repeated. */
export interface AffectedRun {
  readonly transformations: { readonly ran: number; readonly all: number }
  readonly testFiles: { readonly ran: number; readonly all: number }
  /** Results of all tests, also of those that did not run again. Undefined when nothing is new. */
  readonly outcome?: TestOutcome
}

/** Results of a transformation, and a fingerprint of its files at that time. */
interface Known {
  readonly print: string
  readonly reports: readonly CaseReport[]
}

/** Results of a test file, and a fingerprint of what it depended on at that time. */
interface KnownTests extends VitestOutcome {
  readonly print: string
}

/** Runs the tests of projects, and after a change only those it affects. Calls must not overlap. */
export class AffectedTests {
  readonly #setup: AffectedTestsSetup
  #known: ReadonlyMap<string, Known> = new Map()
  #knownTests: ReadonlyMap<string, KnownTests> = new Map()
  /** Last result without the cases. It is not news again when an editor saves unrelated files. */
  #lastReport = ''

  constructor(setup: AffectedTestsSetup) {
    this.#setup = setup
  }

  /** Reads the projects. @throws ProjectError when one is malformed, as in the middle of an edit. */
  async find(): Promise<FoundTests> {
    const { paths, filter, setup } = this.#setup
    try {
      const found = await findProjects(paths, filter)
      const inputs = await inputsOf(found.vitestFiles)
      const folders = foldersOf(
        found.projects.map(({ project }) => project),
        setup,
      )
      const inputFolders = [...inputs.values()].flatMap(({ files }) => files.map((file) => dirname(file)))
      return { ...found, inputs, folders: new Set([...folders, ...inputFolders]) }
    } catch (error) {
      // The next result is news, even when it is the one before the error.
      this.#lastReport = ''
      throw error
    }
  }

  /** @param since time of the change, by `performance.now()`. @param signal ends the run early. */
  async run({ projects, inputs }: FoundTests, since: number, signal: AbortSignal): Promise<AffectedRun> {
    const { setup } = this.#setup
    const lastReport = this.#lastReport
    // Until this run has ended, which may be in an error.
    this.#lastReport = ''
    const now = new Map<string, Known>()
    const libraries: LibraryReport[] = []
    let ran = 0
    for (const { project, libraries: asked } of projects) {
      for (const transformation of project.transformations) {
        const key = `${transformation.file} ${transformation.name}`
        const print = await fingerprint(project, transformation, setup)
        const before = this.#known.get(key)
        if (before?.print !== print) ran += 1
        now.set(
          key,
          before?.print === print ? before : { print, reports: await this.#runOne(project, transformation, signal) },
        )
      }
      libraries.push(...(await checkLibraries(project, setup.runner, asked)))
    }
    const ranFiles = await this.#runTests(inputs, signal)
    this.#known = now
    const counts = {
      transformations: { ran, all: now.size },
      testFiles: { ran: ranFiles, all: inputs.size },
    }
    if (signal.aborted) return counts
    const cases = [...now.values()].flatMap(({ reports }) => reports)
    const tests = [...this.#knownTests.values()].flatMap((each) => each.tests)
    const notRun = [...notRunOf(projects), ...[...this.#knownTests.values()].flatMap((each) => each.notRun)]
    const report = JSON.stringify([[...now.keys()], libraries, notRun])
    const isNews = ran + ranFiles > 0 || report !== lastReport
    this.#lastReport = report
    if (!isNews) return counts
    return { ...counts, outcome: { cases, libraries, tests, notRun, timeMs: performance.now() - since } }
  }

  /** Runs the test files that depend on something that changed, and returns how many. */
  async #runTests(inputs: ReadonlyMap<string, TestFileInputs>, signal: AbortSignal): Promise<number> {
    const changed = [...inputs].filter(([file, { print }]) => this.#knownTests.get(file)?.print !== print)
    const ran =
      changed.length === 0
        ? { tests: [], notRun: [] }
        : await runVitest(
            changed.map(([file]) => file),
            { ...this.#setup.vitest, signal },
          )
    // Vitest sets it when a test fails.
    process.exitCode = 0
    const next = new Map<string, KnownTests>()
    for (const [file, { print }] of inputs) {
      const before = this.#knownTests.get(file)
      // An error outside of tests has no file; it is counted once.
      const isOf = (each: { readonly file: string }): boolean =>
        each.file === file || (each.file === '' && file === changed[0]?.[0])
      const own = { print, tests: ran.tests.filter(isOf), notRun: ran.notRun.filter(isOf) }
      next.set(file, before?.print === print ? before : own)
    }
    this.#knownTests = next
    return changed.length
  }

  async #runOne(
    project: Project,
    transformation: ProjectTransformation,
    signal: AbortSignal,
  ): Promise<readonly CaseReport[]> {
    const { setup, onCase } = this.#setup
    const reports: CaseReport[] = []
    for await (const report of runProject({ ...project, transformations: [transformation] }, setup)) {
      onCase(report)
      reports.push(report)
      if (signal.aborted) break
    }
    return reports
  }
}

async function inputsOf(files: readonly string[]): Promise<ReadonlyMap<string, TestFileInputs>> {
  const inputs = new Map<string, TestFileInputs>()
  for (const [root, own] of byRoot(files)) for (const file of own) inputs.set(file, await testFileInputs(file, root))
  return inputs
}

/** Returns a text that changes with any file a transformation depends on. */
async function fingerprint(project: Project, transformation: ProjectTransformation, setup: CaseSetup): Promise<string> {
  const files = transformation.cases.flatMap((each) => caseFiles(each, setup))
  const states = await Promise.all(files.map(stateOf))
  return JSON.stringify([toSubject(project, transformation), files, states])
}

function caseFiles(
  { inputFile, outputFile, conditionFiles, fetch, requests }: ProjectTransformation['cases'][number],
  { destination }: CaseSetup,
): readonly string[] {
  const requestFiles =
    destination && requests ? [join(requests.folder, destination.definition.type.toLowerCase(), requests.fileName)] : []
  return [
    inputFile ?? [],
    outputFile ?? [],
    conditionFiles,
    fetch?.file ?? [],
    fetch?.sharedFile ?? [],
    requestFiles,
  ].flat()
}

/** Returns the folders of all files, and those above them up to the root, where new files can appear. */
function foldersOf(projects: readonly Project[], setup: CaseSetup): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const { root, transformations, libraries } of projects) {
    const codes = [...transformations, ...libraries].flatMap(({ file, specFile = file }) => [file, specFile])
    const cases = transformations.flatMap((each) => each.cases).flatMap((each) => caseFiles(each, setup))
    const usual = ['transformations/x', 'libraries/x', 'tests/x'].map((path) => join(root, path))
    folders.add(root)
    for (const file of [...codes, ...cases, ...usual])
      for (let folder = dirname(file); folder.length > root.length; folder = dirname(folder)) folders.add(folder)
  }
  return folders
}
