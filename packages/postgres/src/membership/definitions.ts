import type { Definition, Routes } from '@sluice/pipeline'
import { OtherDefinitionsError } from './other-definitions-error.ts'
import type { DefinedFile, DefinedNode, SharedRows } from './shared-rows.ts'

/** Which definition of workspaces this process and the others have, and which of them is the newest. */
export class Definitions {
  readonly #rows: Pick<SharedRows, 'sayChanging' | 'sayDefinition' | 'routesOf'>
  readonly #onError: (error: unknown) => void
  #digest = ''
  #file = ''
  /** The file with which others know this process. */
  #known = ''
  #definition: Definition | undefined
  /** How much is being said right now. */
  #saying = 0
  #others = 0
  #newer: { readonly file: string; readonly revision: number; readonly routes: Routes } | undefined

  constructor(rows: SharedRows, onError: (error: unknown) => void) {
    this.#rows = rows
    this.#onError = onError
  }

  /** Digest of the definition of this process; empty while it has none, or changes it. */
  get digest(): string {
    return this.#digest
  }

  /** Digest of its file; empty before it has any. */
  get file(): string {
    return this.#file
  }

  /** Living processes with another definition. */
  get others(): number {
    return this.#others
  }

  /** See `Cluster.newerRoutes`. */
  get newerRoutes(): Routes | undefined {
    return this.#newer?.routes
  }

  /** Says which definition this process has; undefined while it changes to another one. */
  async say(nodeId: string, definition: Definition | undefined): Promise<void> {
    this.#definition = definition
    this.#digest = definition?.digest ?? ''
    if (definition !== undefined) {
      if (this.#file !== definition.file) this.#newer = undefined
      this.#file = definition.file
    }
    await this.#say(nodeId)
  }

  async #say(nodeId: string): Promise<void> {
    this.#saying += 1
    try {
      const definition = this.#definition
      if (definition === undefined) return await this.#rows.sayChanging(nodeId)
      // The operator may return to an earlier file; a process that starts with one may only have been forgotten.
      await this.#rows.sayDefinition(nodeId, definition, this.#known)
      this.#known = definition.file
    } finally {
      this.#saying -= 1
    }
  }

  /** Says again what the row of this process does not have: it was said while the row was being added, or could not be stored. */
  async repair(nodeId: string, nodes: readonly DefinedNode[]): Promise<void> {
    const row = nodes.find(({ id }) => id === nodeId)
    if (row === undefined || this.#saying > 0) return
    if (row.definition !== this.#digest || row.file !== this.#file) await this.#say(nodeId)
  }

  /**
   * Compares what the living processes have; those that just change theirs have none. Reported when some differ at first.
   * @param silent files of processes that may come back.
   */
  async compare(nodes: readonly DefinedNode[], silent: readonly DefinedFile[]): Promise<void> {
    const own = this.#digest
    const others = nodes.filter(({ definition }) => own !== '' && definition !== '' && definition !== own)
    const newest = newestOf([...nodes, ...silent])
    const seenAt = nodes.find(({ file }) => file === this.#file)?.seen_at
    const isOlder = newest !== undefined && seenAt !== undefined && seenAt < newest.seen_at
    const areNew = others.length > 0 && this.#others === 0
    this.#others = others.length
    if (areNew)
      this.#onError(
        new OtherDefinitionsError(
          others.map(({ id }) => id),
          isOlder,
        ),
      )
    if (!isOlder) this.#newer = undefined
    else if (this.#newer?.file !== newest.file || this.#newer.revision !== newest.revision) await this.#read(newest)
  }

  async #read({ file, revision }: DefinedFile): Promise<void> {
    const own = this.#file
    const routes = await this.#rows.routesOf(file)
    // Meanwhile it may have another one.
    if (routes !== undefined && own === this.#file)
      this.#newer = { file, revision, routes: new Map(JSON.parse(routes)) }
  }
}

/** Returns the newest file; the first one of several. */
function newestOf(files: readonly DefinedFile[]): DefinedFile | undefined {
  return files
    .filter(({ file }) => file !== '')
    .reduce<DefinedFile | undefined>(
      (newest, each) => (newest && newest.seen_at >= each.seen_at ? newest : each),
      undefined,
    )
}

/**
 * Returns the processes that are to hold lanes: those with the newest file, once they are half of all, so that what waits for
 * a destination that the others do not know is delivered, and none has to do more than twice its share.
 */
export function knowingMost<Node extends DefinedNode>(nodes: readonly Node[]): readonly Node[] {
  const newest = newestOf(nodes)
  const knowing = nodes.filter(({ file }) => file === newest?.file)
  return knowing.length * 2 >= nodes.length && knowing.length > 0 ? knowing : nodes
}
