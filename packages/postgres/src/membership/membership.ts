import { type Random, uuidV4 } from '@sluice/core'
import type { Cluster, ClusterMeasures, ClusterMember, Definition, Routes } from '@sluice/pipeline'
import { UnknownOutcomeError } from '@sluice/pipeline/store'
import type { Connection } from '../connect/connect.ts'
import type { ServedServer } from '../connect/served-server.ts'
import { assignLanes } from '../lanes/assign-lanes.ts'
import { laneCount } from '../lanes/lane-of.ts'
import type { Steps } from '../schema/cluster-migrations.ts'
import { Changes } from './changes.ts'
import { type DefinedNode, Definitions, definedColumns, definedFiles, knowingMost } from './definitions.ts'
import { type DatabaseState, KnownPast } from './known-past.ts'
import { Lease } from './lease.ts'
import { NotServingError } from './not-serving-error.ts'
import { Passings } from './passings.ts'
import { type MissingBatches, resume } from './resume.ts'
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
  /** Where `connection` leads to. */
  readonly server: ServedServer
  readonly random: Random
  readonly times: ClusterTimes
  /** Steps of the tables that this release knows, which decide whether they may be upgraded while it runs. */
  readonly knows: Steps
  /** Called when this process holds other lanes, before it reads them. */
  readonly onLanes: () => void
  /** The channel of hints. */
  readonly channel: string
  /** Tells all processes what there is to do, which they would find with their next beat otherwise. */
  readonly hint: (todo: 'lanes' | 'passing') => void
  /** Called when the database lacks what this process knew it to have. */
  readonly onMissing: (missing: MissingBatches) => void
  readonly onError: (error: unknown) => void
}

interface Node extends NodeBeat, DefinedNode {
  readonly is_member: boolean
  /** Whether it was asked to hold no lanes. */
  readonly is_draining: boolean
}

/**
 * This process among those that share a store: it beats, takes lanes from those that are silent, hands over those that others
 * are to hold, and applies what others change.
 */
export class Membership implements Cluster {
  readonly #options: MembershipOptions
  readonly #silence = new Silence()
  readonly #lease: Lease
  readonly #changes: Changes
  readonly #passings: Passings
  readonly #definitions: Definitions
  #nodeId: string
  #member: ClusterMember | undefined
  #held: ReadonlySet<number> = new Set()
  #timer: NodeJS.Timeout | undefined
  #turning: Promise<void> | undefined
  #moving: Promise<void> | undefined
  #rejoining: Promise<void> | undefined
  #again = false
  #isLeaving = false
  /** Whether this process was asked to hold no lanes. */
  #isDraining = false
  /** Whether all had the same at the last beat. */
  #agreed = false
  /** Lanes that the newest change brought from processes that had died. */
  #fromDead: ReadonlySet<number> = new Set()
  /** Whether the member reads nothing: it is being paused, or could not be resumed and is to be with the next beat. */
  #isPaused = false
  /** Whether this process must join again before it beats. */
  #isOut = false
  /** Beats of this process that the database has. */
  #beats = 0
  #past = new KnownPast()
  /** What was known of the database that this process worked with until it had to join again. */
  #pastBefore: KnownPast | undefined
  #unconfirmedLosses = 0
  #takenOver = 0
  #refused = 0
  #unknown = 0
  /** Living processes, as of the last beat. */
  #nodes = 0

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#lease = new Lease(options.times)
    this.#nodeId = uuidV4(options.random)
    const { connection, server, channel, times, hint, onError } = options
    this.#definitions = new Definitions(connection.query, onError)
    server.watch(() => {
      this.#lease.end()
      void this.turn()
    })
    const shared = { connection, changeMs: times.changeMs, onError }
    const own = { nodeId: () => this.#nodeId, member: () => (this.#isLeaving ? undefined : this.#member) }
    this.#changes = new Changes({ ...shared, ...own, channel })
    this.#passings = new Passings({ ...shared, ...own, hint: () => hint('passing') })
  }

  /** Id of this process, another one each time it joins. */
  get nodeId(): string {
    return this.#nodeId
  }

  get held(): ReadonlySet<number> {
    return this.#held
  }

  /** Those of the lanes held that it has taken over, with the newest change, from processes that had died. */
  get fromDead(): ReadonlySet<number> {
    return this.#fromDead
  }

  get isServing(): boolean {
    return this.#lease.isValid(performance.now())
  }

  get isLeader(): boolean {
    return this.#held.has(0) && this.isServing
  }

  /** Whether no other process took part at the last beat. */
  get isAlone(): boolean {
    return this.#member !== undefined && this.#nodes === 1
  }

  /** Remembers what the database has stored. */
  get past(): Pick<KnownPast, 'add'> {
    return this.#past
  }

  get hasUnconfirmedLoss(): boolean {
    return this.#unconfirmedLosses > 0
  }

  get newerRoutes(): Routes | undefined {
    return this.#definitions.newerRoutes
  }

  get measures(): ClusterMeasures {
    return {
      lanes: this.#held.size,
      takenOver: this.#takenOver,
      refused: this.#refused,
      unknown: this.#unknown,
      leaseLeftMs: this.#lease.left(performance.now()),
      nodes: this.#nodes,
      otherDefinitions: this.#definitions.others,
    }
  }

  async defined(definition: Definition | undefined): Promise<void> {
    this.#agreed = false
    await this.#definitions.say(this.#nodeId, definition)
    this.#options.hint('lanes')
  }

  async agrees(): Promise<boolean> {
    // Two that change at the same time do not know of each other's.
    const others = await this.#options.connection.query(
      `select id from node where is_member and id <> $1 and (definition <> $2 or $2 = '') limit 1`,
      [this.#nodeId, this.#definitions.digest],
    )
    return others.length === 0
  }

  /** Adds this process, which holds no lanes before `join`: it may append, and read. */
  async enter(): Promise<void> {
    await this.#resumePast()
    this.#nodeId = uuidV4(this.#options.random)
    this.#changes.joinAnew()
    this.#beats = 0
    const { connection, times, knows } = this.#options
    await connection.query(
      `insert into node (id, beat, is_member, is_draining, lease_ms, knows_shared, knows_cluster, definition, file,
         deduplication_ms, applied, passed)
       select $1, 0, $2 = 1, $3 = 1, $4, $5, $6, $7, $8, $9,
         (select count from change_count), (select coalesce(max(id), 0) from passing)`,
      [
        this.#nodeId,
        this.#member === undefined ? 0 : 1,
        this.#isDraining ? 1 : 0,
        times.leaseMs,
        knows.shared,
        knows.cluster,
        this.#definitions.digest,
        this.#definitions.file,
        this.#member?.deduplicationMs ?? null,
      ],
    )
    this.#isOut = false
    await this.turn()
  }

  async join(member: ClusterMember): Promise<void> {
    await member.pause(0)
    this.#member = member
    this.#lease.end()
    // From now on, changes wait for this process.
    await this.#options.connection.query(
      'update node set is_member = true, deduplication_ms = $2::bigint where id = $1',
      [this.#nodeId, member.deduplicationMs ?? null],
    )
    await this.#changes.applyNow()
    await this.turn()
    await this.#moving
    await member.resume()
  }

  /** A hint came from a process, this one included. */
  hinted(hint: string): void {
    if (!this.#changes.hinted(hint)) void this.turn()
  }

  /** Runs a write, and counts it when the store refuses it because this process does not serve, or may have stored it. */
  async counted<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      if (error instanceof NotServingError) this.#refused += 1
      if (error instanceof UnknownOutcomeError) this.#unknown += 1
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

  applied(): Promise<void> {
    return this.#changes.everywhere()
  }

  passed(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void> {
    return this.#passings.everywhere(workspaceId, destinationId, signal)
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
    await Promise.all([this.#turning, this.#rejoining, this.#changes.ended(), this.#passings.ended(), this.#moving])
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
    const { connection, server } = this.#options
    if (this.#isOut || server.isReplaced) return this.#joinAgain()
    const sentAt = performance.now()
    const [own] = await connection.query<OwnBeat>(beat, [this.#nodeId])
    if (this.#isLeaving || server.isReplaced) return
    // A database that lacks beats, batches or changes was put back to an earlier state.
    if (own === undefined || own.beat <= this.#beats || this.#past.isAhead(own)) return this.#joinAgain()
    this.#past.saw(own)
    this.#unconfirmedLosses = own.losses
    this.#beats = own.beat
    this.#isDraining = own.is_draining
    if (this.#member === undefined || this.#changes.hasApplied) this.#lease.renew(sentAt)
    this.#changes.counted(own.changes)
    this.#passings.answer(own.passed)
    const nodes = await this.#reap(
      await connection.query<Node>(
        `select id, beat, lease_ms, is_member, is_draining, ${definedColumns} from node ${definedFiles}`,
      ),
    )
    await this.#definitions.compare(nodes)
    if (this.#member === undefined || !this.isServing) return
    this.#moving ??= this.#moveLanes(nodes)
      .catch(this.#options.onError)
      .finally(() => {
        this.#moving = undefined
      })
  }

  #joinAgain(): void {
    // While this process starts, it works with what it has read: it ends instead, because no statement succeeds.
    if (this.#options.server.isReplaced && this.#member === undefined) return
    this.#rejoining ??= this.#rejoin()
      .catch(this.#options.onError)
      .finally(() => {
        this.#rejoining = undefined
      })
  }

  /**
   * Others have taken over, or the database is another one: what is under way must not be stored, and the lanes are no
   * longer held.
   */
  async #rejoin(): Promise<void> {
    const { connection, server, onLanes } = this.#options
    this.#isOut = true
    this.#lease.end()
    await this.#moving
    await this.#pause(0)
    this.#held = new Set()
    this.#fromDead = new Set()
    onLanes()
    await this.#member?.lost()
    // What is stored from here on is in the database that the past is compared with.
    this.#pastBefore ??= this.#past
    this.#past = new KnownPast()
    // The new server may have a row of this process, and positions there are not to be drawn yet: writes from now on find none.
    const left = this.#nodeId
    this.#nodeId = uuidV4(this.#options.random)
    server.accept()
    await connection.query('delete from node where id = $1', [left])
    // With its new id, the process could store again what it has not committed: nothing of that is left now.
    await this.enter()
    await this.#resume()
  }

  /** Notes what the database lacks, and continues from the state in which it is. */
  async #resumePast(): Promise<void> {
    const before = this.#pastBefore ?? this.#past
    const { state, missing } = await resume(this.#options.connection, before)
    this.#pastBefore = undefined
    this.#past.saw(state)
    if (missing.batches + missing.changes > 0) this.#options.onMissing(missing)
  }

  async #pause(deadlineMs: number): Promise<void> {
    this.#isPaused = true
    await this.#member?.pause(deadlineMs)
  }

  async #resume(): Promise<void> {
    await this.#member?.resume()
    this.#isPaused = false
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
    const ids = knowingMost(willing.length > 0 ? willing : nodes).map(({ id }) => id)
    const wanted = assignLanes(laneCount, ids).get(this.#nodeId) ?? new Set()
    const lanes = await connection.query<{ number: number; node_id: string | null }>('select number, node_id from lane')
    const living = new Set(nodes.map(({ id }) => id))
    const orphaned = new Set(
      lanes.flatMap(({ number, node_id }) => (node_id !== null && !living.has(node_id) ? number : [])),
    )
    // Lanes that it has without knowing it: the answer to an earlier change was lost.
    const own = new Set(lanes.flatMap(({ number, node_id }) => (node_id === this.#nodeId ? number : [])))
    const given = [...new Set([...this.#held, ...own])].filter((lane) => !wanted.has(lane))
    const isFree = (lane: number, holder: string | null): boolean =>
      holder === null || own.has(lane) || orphaned.has(lane)
    const free = lanes.flatMap(({ number, node_id }) =>
      wanted.has(number) && !this.#held.has(number) && isFree(number, node_id) ? number : [],
    )
    const agreed = nodes.every(({ definition }) => definition === this.#definitions.digest)
    // Consumers that others did not know, or still knew, were left alone until now.
    const isAgreedNow = agreed && !this.#agreed
    this.#agreed = agreed
    // What the last change took from dead processes still is so when the member has not read it since.
    const fromDead = this.#isPaused ? this.#fromDead : new Set<number>()
    if (given.length + free.length === 0 && !isAgreedNow && !this.#isPaused) return
    await this.#pause(times.handOverMs)
    try {
      // Nothing of these lanes is under way now. Others may have them before this process gets its answer.
      this.#held = new Set([...this.#held].filter((lane) => wanted.has(lane)))
      await connection.query('update lane set node_id = null where node_id = $1 and number = any ($2::int[])', [
        this.#nodeId,
        given,
      ])
      const taken = await connection.query<{ number: number }>(takeLanes, [this.#nodeId, free])
      this.#held = new Set([...this.#held, ...taken.map(({ number }) => number)])
      const takenOver = taken.flatMap(({ number }) => (orphaned.has(number) ? number : []))
      this.#fromDead = new Set([...fromDead, ...takenOver].filter((lane) => this.#held.has(lane)))
      this.#takenOver += takenOver.length
    } finally {
      onLanes()
      await this.#resume()
    }
    if (given.length > 0) hint('lanes')
  }
}

interface OwnBeat extends DatabaseState {
  readonly beat: number
  readonly passed: number
  readonly is_draining: boolean
  /** Losses that no operator has confirmed. */
  readonly losses: number
}

const beat = `
  update node set beat = beat + 1 where id = $1
  returning beat, passed, is_draining, (select count from change_count) as changes,
    (select last_value from log_position) as "end",
    (select count(*) from resumption where is_loss and confirmed_at is null) as losses`

/** Takes lanes that no other process holds, or one that is gone; as long as this process is in the cluster. */
const takeLanes = `
  with serving as materialized (select 1 from node where id = $1 for key share)
  update lane set node_id = $1
  where number = any ($2::int[]) and exists (select from serving)
    and (node_id is null or node_id = $1 or not exists (select from node where node.id = lane.node_id))
  returning number`
