import { type Random, uuidV4 } from '@sluice/core'
import type { Cluster, ClusterMeasures, ClusterMember } from '@sluice/pipeline'
import type { Connection } from '../connect/connect.ts'
import { assignLanes } from '../lanes/assign-lanes.ts'
import { laneCount } from '../lanes/lane-of.ts'
import type { Steps } from '../schema/cluster-migrations.ts'
import { Lease } from './lease.ts'
import { NotServingError } from './not-serving-error.ts'
import { type NodeBeat, Silence } from './silence.ts'

export interface ClusterTimes {
  /** Between two beats. */
  readonly beatMs: number
  /** After which others take over from a process that is silent. */
  readonly leaseMs: number
  /** How long before that a process that gets no answers stops by itself. */
  readonly marginMs: number
  /** Time for what is under way when lanes are handed over; what takes longer may be delivered twice. */
  readonly handOverMs: number
  /** Longest wait for all processes to apply a change. */
  readonly changeMs: number
}

export const defaultClusterTimes: ClusterTimes = {
  beatMs: 1_000,
  leaseMs: 5_000,
  marginMs: 500,
  handOverMs: 2_000,
  changeMs: 30_000,
}

export interface MembershipOptions {
  readonly connection: Connection
  readonly random: Random
  readonly times: ClusterTimes
  /** Steps of the tables that this release knows, which decide whether they may be upgraded while it runs. */
  readonly knows: Steps
  /** Called when this process holds other lanes, before it reads them. */
  readonly onLanes: () => void
  /** Tells all processes what has changed, which they would find with their next beat otherwise. */
  readonly hint: (changed: ChangeHint) => void
  readonly onError: (error: unknown) => void
}

/** Something to be applied; something that a process has applied; lanes that are free; work that is to be passed. */
export type ChangeHint = 'change' | 'applied' | 'lanes' | 'passing'

interface Node extends NodeBeat {
  readonly is_member: boolean
  /** Whether it was asked to hold no lanes. */
  readonly is_draining: boolean
}

/** How often a caller that waits for all processes looks, should a hint get lost. */
const lookMs = 50

/**
 * This process among those that share a store: it beats, takes lanes from those that are silent, hands over those that others
 * are to hold, and applies what others change.
 */
export class Membership implements Cluster {
  readonly #options: MembershipOptions
  readonly #silence: Silence
  readonly #lease: Lease
  #nodeId: string
  #member: ClusterMember | undefined
  #held: ReadonlySet<number> = new Set()
  #timer: NodeJS.Timeout | undefined
  #turning: Promise<void> | undefined
  #moving: Promise<void> | undefined
  #rejoining: Promise<void> | undefined
  #applying: Promise<void> | undefined
  #passings: Promise<void> | undefined
  #again = false
  #isLeaving = false
  /** Whether this process was asked to hold no lanes. */
  #isDraining = false
  #takenOver = 0
  #refused = 0
  /** Living processes, as of the last beat. */
  #nodes = 0
  /** The number of changes that are applied; whether those are that were made before this process joined. */
  #applied = 0
  /** How many of them were of code: all, when this process started. */
  #appliedCode = -1
  #hasApplied = false
  #applyAgain = false
  readonly #appliedWaiters = new Set<() => void>()

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#silence = new Silence(options.times.leaseMs)
    this.#lease = new Lease(options.times)
    this.#nodeId = uuidV4(options.random)
  }

  /** Id of this process, another one each time it joins. */
  get nodeId(): string {
    return this.#nodeId
  }

  get held(): ReadonlySet<number> {
    return this.#held
  }

  get isServing(): boolean {
    return this.#lease.isValid(performance.now())
  }

  get isLeader(): boolean {
    return this.#held.has(0) && this.isServing
  }

  get measures(): ClusterMeasures {
    return {
      lanes: this.#held.size,
      takenOver: this.#takenOver,
      refused: this.#refused,
      leaseLeftMs: this.#lease.left(performance.now()),
      nodes: this.#nodes,
    }
  }

  /** Adds this process, which holds no lanes before `join`: it may append, and read. */
  async enter(): Promise<void> {
    this.#nodeId = uuidV4(this.#options.random)
    this.#hasApplied = false
    const { connection, times, knows } = this.#options
    await connection.query(
      `insert into node (id, beat, is_member, is_draining, lease_ms, knows_shared, knows_cluster, applied, passed)
       select $1, 0, $2 = 1, $3 = 1, $4, $5, $6,
         (select count from change_count), (select coalesce(max(id), 0) from passing)`,
      [
        this.#nodeId,
        this.#member === undefined ? 0 : 1,
        this.#isDraining ? 1 : 0,
        times.leaseMs,
        knows.shared,
        knows.cluster,
      ],
    )
    await this.turn()
  }

  async join(member: ClusterMember): Promise<void> {
    await member.pause(0)
    this.#member = member
    this.#lease.end()
    // From now on, changes wait for this process.
    await this.#options.connection.query('update node set is_member = true where id = $1', [this.#nodeId])
    await this.#applyChanges()
    await this.turn()
    await this.#moving
    await member.resume()
  }

  /** A hint came from a process, this one included. */
  hinted(changed: ChangeHint): void {
    if (changed === 'change') this.#apply()
    else if (changed !== 'applied') void this.turn()
    else {
      for (const resolve of this.#appliedWaiters) resolve()
      this.#appliedWaiters.clear()
    }
  }

  /** Runs a write, and counts it when the store refuses it because this process does not serve. */
  async counted<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      if (error instanceof NotServingError) this.#refused += 1
      throw error
    }
  }

  /** Another process has added events that wait. */
  deferred(workspaceId: string): void {
    this.#member?.deferred(workspaceId)
  }

  /** Looks at the others, applies changes and takes or gives up lanes: now, and with every beat. */
  turn(): Promise<void> {
    if (this.#isLeaving) return Promise.resolve()
    if (this.#turning) {
      this.#again = true
      return this.#turning
    }
    clearTimeout(this.#timer)
    const turning = this.#turn()
      .catch(this.#options.onError)
      .finally(() => {
        this.#turning = undefined
        if (this.#isLeaving) return
        const wait = this.#again ? 0 : this.#options.times.beatMs
        this.#again = false
        this.#timer = setTimeout(() => void this.turn(), wait).unref()
      })
    this.#turning = turning
    return turning
  }

  async applied(): Promise<void> {
    const { connection, times } = this.#options
    const [change] = await connection.query<{ count: number }>('select count from change_count')
    const deadline = performance.now() + times.changeMs
    this.#options.hint('change')
    this.#apply()
    for (;;) {
      const hinted = this.#nextApplied()
      const behind = await connection.query('select id from node where is_member and applied < $1 limit 1', [
        change?.count ?? 0,
      ])
      if (behind.length === 0) return
      if (performance.now() > deadline)
        throw new Error(
          `the change is stored, but not all processes have applied it within ${times.changeMs / 1_000} s: look at sluice cluster status, and repeat the call`,
        )
      await Promise.race([hinted, new Promise((resolve) => setTimeout(resolve, lookMs))])
    }
  }

  async passed(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void> {
    const { connection } = this.#options
    const [asked] = await connection.query<{ id: number }>(
      'insert into passing (workspace_id, destination_id) values ($1, $2) returning id',
      [workspaceId, destinationId ?? null],
    )
    this.#options.hint('passing')
    for (;;) {
      signal.throwIfAborted()
      const behind = await connection.query('select id from node where is_member and passed < $1 limit 1', [
        asked?.id ?? 0,
      ])
      if (behind.length === 0) return
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }

  async handOver(): Promise<void> {
    this.#member = undefined
    await this.#moving
    this.#held = new Set()
    await this.#options.connection.query(
      `with freed as (update lane set node_id = null where node_id = $1)
       update node set is_member = false where id = $1`,
      [this.#nodeId],
    )
    this.#options.hint('lanes')
  }

  /** Leaves the cluster, with all lanes. Nothing can be written any more. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    clearTimeout(this.#timer)
    await Promise.all([this.#turning, this.#rejoining, this.#applying, this.#passings, this.#moving])
    clearTimeout(this.#timer)
    this.#lease.end()
    this.#held = new Set()
    await this.#options.connection.query(
      'with freed as (update lane set node_id = null where node_id = $1) delete from node where id = $1',
      [this.#nodeId],
    )
    this.#options.hint('lanes')
  }

  async #turn(): Promise<void> {
    const { connection } = this.#options
    const sentAt = performance.now()
    const [own] = await connection.query<{ passed: number; is_draining: boolean; count: number }>(
      `update node set beat = beat + 1 where id = $1
       returning passed, is_draining, (select count from change_count) as count`,
      [this.#nodeId],
    )
    if (this.#isLeaving) return
    if (own === undefined) {
      this.#rejoining ??= this.#rejoin()
        .catch(this.#options.onError)
        .finally(() => {
          this.#rejoining = undefined
        })
      return
    }
    this.#isDraining = own.is_draining
    if (this.#member === undefined || this.#hasApplied) this.#lease.renew(sentAt)
    // In the background, for they may take longer than a lease.
    if (own.count > this.#applied || !this.#hasApplied) this.#apply()
    this.#endPassings(own.passed)
    const nodes = await this.#reap(await connection.query<Node>('select id, beat, is_member, is_draining from node'))
    if (this.#member === undefined || !this.isServing) return
    this.#moving ??= this.#moveLanes(nodes)
      .catch(this.#options.onError)
      .finally(() => {
        this.#moving = undefined
      })
  }

  /** Others have taken over: what is under way must not be stored, and the lanes are no longer held. */
  async #rejoin(): Promise<void> {
    this.#lease.end()
    await this.#moving
    await this.#member?.pause(0)
    this.#held = new Set()
    this.#options.onLanes()
    // With its new id, the process could store again what it has not committed: nothing of that is left now.
    await this.enter()
    await this.#member?.resume()
  }

  /** Applies changes in the background: once more when it is asked to while it does so. */
  #apply(): void {
    if (this.#member === undefined || this.#isLeaving) return
    if (this.#applying) {
      this.#applyAgain = true
      return
    }
    this.#applying = this.#applyChanges()
      .catch(this.#options.onError)
      .finally(() => {
        this.#applying = undefined
        const again = this.#applyAgain
        this.#applyAgain = false
        if (again) this.#apply()
      })
  }

  /** Resolves when any process has applied changes. */
  #nextApplied(): Promise<void> {
    return new Promise((resolve) => this.#appliedWaiters.add(resolve))
  }

  async #applyChanges(): Promise<void> {
    const { connection } = this.#options
    const nodeId = this.#nodeId
    const [change] = await connection.query<{ count: number; of_code: number }>('select * from change_count')
    const ofCode = change?.of_code ?? 0
    await this.#member?.apply({ code: ofCode > this.#appliedCode })
    this.#appliedCode = ofCode
    await connection.query('update node set applied = greatest(applied, $2) where id = $1', [
      nodeId,
      change?.count ?? 0,
    ])
    this.#options.hint('applied')
    if (nodeId !== this.#nodeId) return
    this.#applied = change?.count ?? 0
    this.#hasApplied = true
  }

  /** In the background: work under way may take long to end. */
  #endPassings(passed: number): void {
    this.#passings ??= this.#passAll(passed)
      .catch(this.#options.onError)
      .finally(() => {
        this.#passings = undefined
      })
  }

  async #passAll(passed: number): Promise<void> {
    const { connection } = this.#options
    const asked = await connection.query<{ id: number; workspace_id: string; destination_id: string | null }>(
      'select id, workspace_id, destination_id from passing where id > $1 order by id limit 50',
      [passed],
    )
    const last = asked.at(-1)
    if (last === undefined) return
    const signal = AbortSignal.timeout(this.#options.times.changeMs)
    await Promise.all(
      asked.map(({ workspace_id, destination_id }) =>
        this.#member?.passed(workspace_id, destination_id ?? undefined, signal),
      ),
    )
    await connection.query('update node set passed = $2 where id = $1', [this.#nodeId, last.id])
  }

  /** Removes nodes that are silent. @returns the others that take part. */
  async #reap(nodes: readonly Node[]): Promise<readonly Node[]> {
    const dead = this.#silence.look(nodes, performance.now()).filter(({ id }) => id !== this.#nodeId)
    for (const { id, beat } of dead)
      await this.#options.connection.query('delete from node where id = $1 and beat = $2', [id, beat])
    const gone = new Set(dead.map(({ id }) => id))
    const living = nodes.filter(({ id, is_member }) => is_member && !gone.has(id))
    this.#nodes = living.length
    return living
  }

  async #moveLanes(nodes: readonly Node[]): Promise<void> {
    const { connection, times, onLanes, hint } = this.#options
    const willing = nodes.filter(({ is_draining }) => !is_draining)
    // Should all be asked to hold none, somebody has to.
    const ids = (willing.length > 0 ? willing : nodes).map(({ id }) => id)
    const wanted = assignLanes(laneCount, ids).get(this.#nodeId) ?? new Set()
    const lanes = await connection.query<{ number: number; node_id: string | null }>('select number, node_id from lane')
    const living = new Set(nodes.map(({ id }) => id))
    const orphaned = new Set(
      lanes.flatMap(({ number, node_id }) => (node_id !== null && !living.has(node_id) ? number : [])),
    )
    const given = [...this.#held].filter((lane) => !wanted.has(lane))
    const free = lanes.flatMap(({ number, node_id }) =>
      wanted.has(number) && !this.#held.has(number) && (node_id === null || orphaned.has(number)) ? number : [],
    )
    if (given.length + free.length === 0) return
    await this.#member?.pause(times.handOverMs)
    try {
      // Nothing of these lanes is under way now.
      await connection.query('update lane set node_id = null where node_id = $1 and number = any ($2::int[])', [
        this.#nodeId,
        given,
      ])
      this.#held = new Set([...this.#held].filter((lane) => wanted.has(lane)))
      const taken = await connection.query<{ number: number }>(takeLanes, [this.#nodeId, free])
      this.#held = new Set([...this.#held, ...taken.map(({ number }) => number)])
      this.#takenOver += taken.filter(({ number }) => orphaned.has(number)).length
    } finally {
      onLanes()
      await this.#member?.resume()
    }
    if (given.length > 0) hint('lanes')
  }
}

/** Takes lanes that no process holds, or one that is gone; as long as this process is in the cluster. */
const takeLanes = `
  with serving as materialized (select 1 from node where id = $1 for key share)
  update lane set node_id = $1
  where number = any ($2::int[]) and exists (select from serving)
    and (node_id is null or not exists (select from node where node.id = lane.node_id))
  returning number`
