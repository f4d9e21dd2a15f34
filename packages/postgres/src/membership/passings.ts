import type { ClusterMember } from '@sluice/pipeline'
import type { Connection } from '../connect/connect.ts'

/** How often a caller that waits for all processes looks. */
const lookMs = 50
/** Calls that one process answers at a time. */
const passingsMax = 50

export interface PassingsOptions {
  readonly connection: Pick<Connection, 'query'>
  /** Longest time of one try to end the work that others wait for. */
  readonly changeMs: number
  /** Id of this process in the cluster. */
  readonly nodeId: () => string
  readonly member: () => ClusterMember | undefined
  /** Tells all processes that there is something to be passed. */
  readonly hint: () => void
  readonly onError: (error: unknown) => void
}

/** Calls that wait until all processes have ended the work they had begun before. */
export class Passings {
  readonly #options: PassingsOptions
  #ending: Promise<void> | undefined

  constructor(options: PassingsOptions) {
    this.#options = options
  }

  /** See `Cluster.passed`. */
  async everywhere(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void> {
    const { connection, hint } = this.#options
    const [asked] = await connection.query<{ id: number }>(
      'insert into passing (workspace_id, destination_id) values ($1, $2) returning id',
      [workspaceId, destinationId ?? null],
    )
    hint()
    for (;;) {
      signal.throwIfAborted()
      const behind = await connection.query('select id from node where is_member and passed < $1 limit 1', [
        asked?.id ?? 0,
      ])
      if (behind.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  /**
   * Ends what others wait for, in the background: work under way may take long.
   * @param passed the last one that this process has answered.
   */
  answer(passed: number): void {
    this.#ending ??= this.#answer(passed)
      .catch(this.#options.onError)
      .finally(() => {
        this.#ending = undefined
      })
  }

  /** Resolves when none is being answered. */
  async ended(): Promise<void> {
    await this.#ending
  }

  async #answer(passed: number): Promise<void> {
    const { connection, nodeId, member, changeMs } = this.#options
    const asked = await connection.query<{ id: number; workspace_id: string; destination_id: string | null }>(
      'select id, workspace_id, destination_id from passing where id > $1 order by id limit $2',
      [passed, passingsMax],
    )
    const last = asked.at(-1)
    if (last === undefined) return
    const signal = AbortSignal.timeout(changeMs)
    await Promise.all(
      asked.map(({ workspace_id, destination_id }) =>
        member()?.passed(workspace_id, destination_id ?? undefined, signal),
      ),
    )
    await connection.query('update node set passed = $2 where id = $1', [nodeId(), last.id])
  }
}
