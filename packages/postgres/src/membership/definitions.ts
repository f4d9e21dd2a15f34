import type { Definition, Routes } from '@sluice/pipeline'
import type { Query } from '../connect/connect.ts'
import { OtherDefinitionsError } from './other-definitions-error.ts'

/** The definition of workspaces that a process has, as others see it. */
export interface DefinedNode {
  readonly id: string
  /** Digest of its definition; empty while it changes, or has none. */
  readonly definition: string
  /** Digest of the file of its definition; empty before it has any. */
  readonly file: string
  /** When the store first saw that file; 0 for one that it has not seen. Larger is newer. */
  readonly seen_at: number
  /** Stored configuration that is in the newest definition with that file. */
  readonly revision: number
}

/** Columns of a process that say which definition it has, and the table that knows their files. */
export const definedColumns =
  'node.definition, node.file, coalesce(defined_file.seen_at, 0) as seen_at, coalesce(defined_file.revision, 0) as revision'
export const definedFiles = 'left join defined_file on defined_file.digest = node.file'

/** Files that no process has, and that are remembered, so that one that comes back is known to be old. */
const filesMax = 100

/** Which definition of workspaces this process and the others have, and which of them is the newest. */
export class Definitions {
  readonly #query: Query
  readonly #onError: (error: unknown) => void
  #digest = ''
  #file = ''
  #others = 0
  /** The file of the newest definition at the last look. */
  #newest = ''
  #newer: { readonly file: string; readonly revision: number; readonly routes: Routes } | undefined

  constructor(query: Query, onError: (error: unknown) => void) {
    this.#query = query
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
    this.#digest = definition?.digest ?? ''
    if (definition === undefined) {
      await this.#query(`update node set definition = '' where id = $1`, [nodeId])
      return
    }
    const { digest, file, revision, routes } = definition
    // The operator returns to an earlier file: a process that starts with one may only have been forgotten.
    const isReturn = this.#file !== '' && this.#file !== file && this.#file === this.#newest
    if (this.#file !== file) this.#newer = undefined
    this.#file = file
    await this.#query(sayDefinition, [nodeId, digest, file, revision, JSON.stringify([...routes]), isReturn ? 1 : 0])
  }

  /** Compares what the living processes have; those that just change theirs have none. Reported when some differ at first. */
  async compare(nodes: readonly DefinedNode[]): Promise<void> {
    const own = this.#digest
    const others = nodes.filter(({ definition }) => own !== '' && definition !== '' && definition !== own)
    const newest = newestOf(nodes)
    const seenAt = nodes.find(({ file }) => file === this.#file)?.seen_at
    const isOlder = newest !== undefined && seenAt !== undefined && seenAt < newest.seen_at
    const areNew = others.length > 0 && this.#others === 0
    this.#others = others.length
    this.#newest = newest?.file ?? ''
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

  async #read({ file, revision }: DefinedNode): Promise<void> {
    const own = this.#file
    const [row] = await this.#query<{ routes_json: string }>('select routes_json from defined_file where digest = $1', [
      file,
    ])
    // Meanwhile it may have another one.
    if (row && own === this.#file) this.#newer = { file, revision, routes: new Map(JSON.parse(row.routes_json)) }
  }
}

/** Returns the process with the newest file; the first one of several. */
function newestOf<Node extends DefinedNode>(nodes: readonly Node[]): Node | undefined {
  return nodes
    .filter(({ file }) => file !== '')
    .reduce<Node | undefined>((newest, each) => (newest && newest.seen_at >= each.seen_at ? newest : each), undefined)
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

/** Forgets files that are long out of use. */
export async function forgetFiles(query: Query): Promise<void> {
  await query(
    `delete from defined_file where not exists (select from node where file = digest)
       and digest not in (select digest from defined_file order by seen_at desc limit $1)`,
    [filesMax],
  )
}

/** By the clock of the database, which may run backwards: each is later than all before it. */
const seenNow = `(
  select greatest((extract(epoch from clock_timestamp()) * 1000)::bigint, coalesce(max(seen_at), 0) + 1) from defined_file
)`

const sayDefinition = `
  with known as (
    insert into defined_file as file (digest, seen_at, revision, routes_json)
    values ($3, ${seenNow}, $4::bigint, $5::text)
    on conflict (digest) do update set
      seen_at = case when $6::int = 1 then excluded.seen_at else file.seen_at end,
      revision = greatest(file.revision, excluded.revision),
      routes_json = case when file.revision > excluded.revision then file.routes_json else excluded.routes_json end
  )
  update node set definition = $2, file = $3 where id = $1`
