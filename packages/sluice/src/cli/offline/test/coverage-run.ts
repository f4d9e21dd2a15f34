import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import {
  type CountedRunner,
  coverageShortfall,
  coverageTable,
  createCountedRunner,
  type FileCoverage,
  mergeCoverage,
  type OfflineRunnerOptions,
  type Project,
  toLcov,
} from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import type { CoverageFlags } from './coverage-flags.ts'

/** Coverage of the code, and whether it reaches the threshold. */
export interface CoverageOutcome {
  /** Paths are relative to the working folder. */
  readonly files: readonly FileCoverage[]
  readonly uncounted: readonly { readonly file: string; readonly reason: string }[]
  /** What is missing to the threshold; absent when it is reached. */
  readonly shortfall?: string
}

/** Measures coverage while tests run, in this process and in those of vitest. */
export interface CoverageRun {
  readonly runner: CountedRunner
  /** Folder for the counts of vitest's processes. */
  readonly folder: string
  /** Includes all code of a project in the report, even when no test runs it. */
  include(project: Project): Promise<void>
  /** Sums the counts, and writes the file for editors. */
  end(): Promise<CoverageOutcome>
  /** Removes the folder. */
  close(): Promise<void>
}

export async function startCoverage(
  { coverageThreshold, lcov }: CoverageFlags,
  options: OfflineRunnerOptions,
): Promise<CoverageRun> {
  const runner = await createCountedRunner(options)
  const folder = await mkdtemp(join(tmpdir(), 'sluice-coverage-'))
  return {
    runner,
    folder,
    async include({ transformations, libraries }) {
      for (const { name, code, file } of [...transformations, ...libraries])
        await runner.include({ name, code, files: { main: file } })
    },
    async end() {
      const merged = mergeCoverage([runner.coverage(), ...(await readCounted(folder))])
      const files = merged.map((one) => ({ ...one, file: relative(process.cwd(), one.file) }))
      if (lcov !== undefined) await write(lcov, toLcov(files))
      const shortfall = coverageThreshold === undefined ? undefined : coverageShortfall(files, coverageThreshold)
      return { files, uncounted: runner.uncounted(), shortfall }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Formats the coverage table, and what is missing to the threshold. */
export function coverageText({ files, uncounted, shortfall }: CoverageOutcome, colours: boolean): string {
  if (files.length === 0) return 'no code was run, so there is nothing to count'
  const left = uncounted.map(({ file, reason }) => `not counted: ${relative(process.cwd(), file)} (${reason})`)
  return [coverageTable(files, { colours }), ...left, ...(shortfall === undefined ? [] : [shortfall])].join('\n')
}

async function readCounted(folder: string): Promise<readonly (readonly FileCoverage[])[]> {
  const names = await readdir(folder)
  return Promise.all(
    names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')) as readonly FileCoverage[]),
  )
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  } catch (error) {
    throw new CliError(`--lcov ${file}: ${error instanceof Error ? error.message : error}`)
  }
}
