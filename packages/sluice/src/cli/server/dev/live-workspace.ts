import { dirname, relative, resolve } from 'node:path'
import { WorkspaceFileError } from '@sluice/configuration/file'
import { WorkspaceProblems } from '@sluice/pipeline'
import type { WorkspaceFile } from '../../../workspace/text/read-workspace-file.ts'
import { stateOf } from '../../offline/test/test-file-inputs.ts'
import { applyFile } from '../serve/apply-file.ts'
import type { DevEntry } from './dev-entry.ts'

/** Applies a workspace file whenever one of the files that it consists of has changed. */
export class LiveWorkspace {
  readonly #file: string
  readonly #run: (opened: WorkspaceFile) => Promise<void>
  /** What the files were at the last attempt, by path. Files that are missing have no state. */
  #states: ReadonlyMap<string, string | undefined> = new Map()
  /** Text of what was wrong at the last attempt; undefined when it succeeded, or there was none. */
  #problem: string | undefined
  #isFirst = true

  /**
   * @param file of the workspace, or its folder.
   * @param run has a workspace run, instead of the one before.
   */
  constructor(file: string, run: (opened: WorkspaceFile) => Promise<void>) {
    this.#file = file
    this.#run = run
  }

  /** Folders in which a change may be one of the workspace. */
  get folders(): ReadonlySet<string> {
    // The file itself may be a folder; files are skipped.
    return new Set([
      resolve(this.#file),
      dirname(resolve(this.#file)),
      ...[...this.#states.keys()].map((file) => dirname(file)),
    ])
  }

  /**
   * Applies the file when it or a file that it names has changed since the last call.
   * @param since time of the change, by `performance.now()`.
   * @returns what became of it; undefined when nothing has changed.
   * @throws what is not the fault of the workspace.
   */
  async apply(since: number): Promise<DevEntry | undefined> {
    const now = new Map<string, string | undefined>()
    for (const file of this.#states.keys()) now.set(file, await stateOf(file))
    const changed = [...now].flatMap(([file, state]) => (state === this.#states.get(file) ? [] : [file]))
    // With a mistake, what mends it may be a file that was not known then.
    if (changed.length === 0 && !this.#isFirst && this.#problem === undefined) return undefined
    this.#isFirst = false
    const files = new Set<string>()
    try {
      await applyFile(this.#file, this.#run, (file) => files.add(file))
      await this.#remember(files, now)
      this.#problem = undefined
      return {
        kind: 'live',
        changed: changed.map((file) => relative(process.cwd(), file)),
        timeMs: performance.now() - since,
      }
    } catch (error) {
      // With a mistake, not all files may have been read: those from before stay watched.
      await this.#remember([...files, ...this.#states.keys()], now)
      if (!(error instanceof WorkspaceFileError || error instanceof WorkspaceProblems)) throw error
      const text = error.message
      if (changed.length === 0 && text === this.#problem) return undefined
      this.#problem = text
      const problems = error instanceof WorkspaceFileError ? error.problems : []
      return { kind: 'problem', text, problems: problems.map(({ inCode: _, ...each }) => each) }
    }
  }

  /** Keeps the states from before the files were read, so that a change in between is seen by the next call. */
  async #remember(files: Iterable<string>, before: ReadonlyMap<string, string | undefined>): Promise<void> {
    const states = new Map<string, string | undefined>()
    for (const file of files) states.set(file, before.has(file) ? before.get(file) : await stateOf(file))
    this.#states = states
  }
}
