import { type Random, uuidV4 } from '@sluice/core'
import type { Cluster, ClusterMeasures, ClusterMember, Definition, EarlyTry, Routes } from '@sluice/pipeline'
import { UnknownOutcomeError } from '@sluice/pipeline/store'
import type { AnnouncedTry } from '../connect/announced-try.ts'
import type { ServedServer } from '../connect/served-server.ts'
import type { Steps } from '../schema/cluster-migrations.ts'
import { Barriers } from './barriers.ts'
import { BeatLoop } from './beat-loop.ts'
import { Changes } from './changes.ts'
import { Definitions } from './definitions.ts'
import { HeldLanes } from './held-lanes.ts'
import { KnownPast } from './known-past.ts'
import { Lease } from './lease.ts'
import { NotServingError } from './not-serving-error.ts'
import type { MissingBatches, TookPart } from './resume.ts'
import type { Node, SharedRows } from './shared-rows.ts'
import { SilentNodes } from './silent-nodes.ts'
import { systemTiming, type Timing } from './timing.ts'

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

interface MembershipOptions {
  readonly rows: SharedRows
  /** Where the rows are. */
  readonly server: ServedServer
  readonly random: Random
  readonly times: ClusterTimes
  /** Steps of the tables that this release knows, which decide whether they may be upgraded while it runs. */
  readonly knows: Steps
  /** Called when this process holds other lanes, before it reads them. */
  readonly onLanes: () => void
  /**
   * Tells all processes what there is to do, which they would find with their next beat otherwise; or that this one has left,
   * which had another definition.
   */
  readonly notify: (todo: 'lanes' | 'barrier' | 'left') => void
  /** Asks the other processes to try something now. */
  readonly announce: (announced: AnnouncedTry) => void
  /** Called when the database lacks what this process knew it to have. */
  readonly onMissing: (missing: MissingBatches) => void
  readonly onError: (error: unknown) => void
  /** Default: the time of the system. */
  readonly timing?: Timing
}

/**
 * This process among those that share a store: it beats, takes lanes from those that are silent, hands over those that others
 * are to hold, and applies what others change.
 */
export class Membership implements Cluster {
  readonly #options: MembershipOptions
  readonly #timing: Timing
  readonly #silentNodes = new SilentNodes()
  readonly #lease: Lease
  readonly #changes: Changes
  readonly #barriers: Barriers
  readonly #definitions: Definitions
  #nodeId: string
  #member: ClusterMember | undefined
  readonly #lanes: HeldLanes
  readonly #beatLoop: BeatLoop
  #moving: Promise<void> | undefined
  #rejoining: Promise<void> | undefined
  #isLeaving = false
  /** Whether this process was asked to hold no lanes. */
  #isDraining = false
  /** Whether this process must join again before it beats. */
  #isOut = false
  /** Beats of this process that the database has. */
  #beats = 0
  #past = new KnownPast()
  /** What was known of the database that this process worked with until it had to join again. */
  #pastBefore: KnownPast | undefined
  /** Who took part until then. */
  #tookPart: TookPart | undefined
  #unconfirmedLosses = 0
  #refused = 0
  #unknown = 0
  /** Living processes, as of the last beat. */
  #nodes = 0

  constructor(options: MembershipOptions) {
    this.#options = options
    const { rows, server, times, notify, onError, timing = systemTiming } = options
    this.#timing = timing
    this.#lease = new Lease(times, timing)
    this.#beatLoop = new BeatLoop({ timing, beatMs: times.beatMs, work: () => this.#turn(), onError })
    this.#nodeId = uuidV4(options.random)
    this.#definitions = new Definitions(rows, onError)
    server.watch(() => {
      this.#lease.end()
      void this.turn()
    })
    const shared = { rows, timing, changeMs: times.changeMs, onError }
    const own = { nodeId: () => this.#nodeId, member: () => (this.#isLeaving ? undefined : this.#member) }
    this.#changes = new Changes({ ...shared, ...own })
    this.#barriers = new Barriers({ ...shared, ...own, notify: () => notify('barrier') })
    this.#lanes = new HeldLanes({
      rows,
      handOverMs: times.handOverMs,
      member: () => this.#member,
      onLanes: options.onLanes,
      notify: () => notify('lanes'),
    })
  }

  /** Id of this process, another one each time it joins. */
  get nodeId(): string {
    return this.#nodeId
  }

  get held(): ReadonlySet<number> {
    return this.#lanes.held
  }

  /** Those of the lanes held that it has taken over, with the newest change, from processes that had died. */
  get fromDead(): ReadonlySet<number> {
    return this.#lanes.fromDead
  }

  get isServing(): boolean {
    return this.#lease.isValid
  }

  get isLeader(): boolean {
    return this.held.has(0) && this.isServing
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
      lanes: this.held.size,
      takenOver: this.#lanes.takenOver,
      refused: this.#refused,
      unknown: this.#unknown,
      leaseLeftMs: this.#lease.left,
      nodes: this.#nodes,
      otherDefinitions: this.#definitions.others,
    }
  }

  async defined(definition: Definition | undefined): Promise<void> {
    this.#lanes.lookAgain()
    await this.#definitions.say(this.#nodeId, definition)
    this.#options.notify('lanes')
  }

  async agrees(): Promise<boolean> {
    return !(await this.#options.rows.differs(this.#nodeId, this.#definitions.digest))
  }

  /** Adds this process, which holds no lanes before `join`: it may append, and read. */
  async enter(): Promise<void> {
    await this.#resumePast()
    this.#nodeId = uuidV4(this.#options.random)
    this.#changes.joinAnew()
    this.#beats = 0
    const { rows, times, knows } = this.#options
    await rows.addNode({
      id: this.#nodeId,
      isMember: this.#member !== undefined,
      isDraining: this.#isDraining,
      leaseMs: times.leaseMs,
      knows,
      definition: this.#definitions.digest,
      file: this.#definitions.file,
      deduplicationMs: this.#member?.deduplicationMs,
    })
    this.#isOut = false
    await this.turn()
  }

  async join(member: ClusterMember): Promise<void> {
    await member.pause(0)
    this.#member = member
    this.#lease.end()
    // From now on, changes wait for this process.
    await this.#options.rows.makeMember(this.#nodeId, member.deduplicationMs)
    await this.#changes.applyNow()
    await this.turn()
    await this.#moving
    await member.resume()
  }

  /** A notification came from a process, this one included; `missed` when some may not have come. */
  notified(text: string): void {
    if (this.#changes.notified(text)) return
    // A process that came and went between two beats of this one may have left consumers that nothing else shows.
    if (text === 'left' || text === 'missed') this.#lanes.lookAgain()
    void this.turn()
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

  tryNow(early: EarlyTry): void {
    this.#options.announce({ ...early, from: this.#nodeId })
  }

  /** A process wants something to be tried now. What this one announced is done already. */
  announced({ from, ...early }: AnnouncedTry): void {
    if (from !== this.#nodeId) this.#member?.tryNow(early)
  }

  /** Looks at the others, applies changes and takes or gives up lanes: now, and with every beat. */
  turn(): Promise<void> {
    return this.#beatLoop.turn()
  }

  applied(): Promise<void> {
    return this.#changes.everywhere()
  }

  passed(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void> {
    return this.#barriers.everywhere(workspaceId, destinationId, signal)
  }

  async handOver(): Promise<void> {
    this.#member = undefined
    await this.#moving
    this.#lanes.release()
    await this.#options.rows.leave(this.#nodeId, true)
    this.#options.notify('lanes')
  }

  /** Leaves the cluster, with all lanes. Nothing can be written any more. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    await Promise.all([
      this.#beatLoop.end(),
      this.#rejoining,
      this.#changes.ended(),
      this.#barriers.ended(),
      this.#moving,
    ])
    this.#lease.end()
    this.#lanes.release()
    // Of consumers that only this process knew, nothing else tells those that stay.
    const isAlike = await this.agrees().catch(() => false)
    await this.#options.rows.leave(this.#nodeId, false)
    this.#options.notify(isAlike ? 'lanes' : 'left')
  }

  async #turn(): Promise<void> {
    const { rows, server } = this.#options
    if (this.#isOut || server.isReplaced) return this.#joinAgain()
    const sent = this.#lease.moment()
    const own = await rows.beat(this.#nodeId, this.#member?.vitals?.())
    if (this.#isLeaving || server.isReplaced) return
    // A database that lacks beats, batches or changes was put back to an earlier state.
    if (own === undefined || own.beat <= this.#beats || this.#past.isAhead(own)) return this.#joinAgain()
    this.#past.saw(own)
    this.#unconfirmedLosses = own.losses
    this.#beats = own.beat
    this.#isDraining = own.is_draining
    if (this.#member === undefined || this.#changes.hasApplied) this.#lease.renew(sent)
    this.#changes.counted(own.changes)
    this.#barriers.answer(own.passed)
    const all = await rows.nodes()
    await this.#definitions.repair(this.#nodeId, all)
    if (this.#silentNodes.areGone(all)) this.#past.mayLack()
    const nodes = await this.#reap(all)
    await this.#definitions.compare(nodes, await rows.silentFiles())
    if (this.#member === undefined || !this.isServing) return
    this.#moving ??= this.#lanes
      .move({ nodeId: this.#nodeId, nodes, areAgreed: () => this.#areAgreed(nodes) })
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
    const { rows, server } = this.#options
    this.#isOut = true
    this.#lease.end()
    await this.#moving
    await this.#lanes.lose()
    await this.#member?.lost()
    // Kept apart from what is stored from here on, which is in the database that the past is compared with.
    this.#pastBefore ??= this.#past
    this.#past = new KnownPast()
    // The new server may have a row of this process, and positions there are not to be drawn yet: writes from now on find none.
    const left = this.#nodeId
    this.#tookPart ??= { as: left, others: this.#silentNodes.seen.filter((id) => id !== left) }
    this.#nodeId = uuidV4(this.#options.random)
    server.accept()
    await rows.removeNode(left)
    this.#silentNodes.forget(left)
    // With its new id, the process could store again what it has not committed: nothing of that is left now.
    await this.enter()
    await this.#lanes.resume()
  }

  /** Notes what the database lacks, and continues from the state in which it is. */
  async #resumePast(): Promise<void> {
    const before = this.#pastBefore ?? this.#past
    const { state, missing, isSame } = await this.#options.rows.resume(
      before,
      this.#tookPart ?? { as: undefined, others: [] },
    )
    this.#pastBefore = undefined
    this.#tookPart = undefined
    if (isSame && before !== this.#past) {
      before.addAll(this.#past)
      this.#past = before
    }
    this.#past.saw(state)
    if (missing.batches + missing.changes > 0) this.#options.onMissing(missing)
  }

  /** Whether all that take part have the definition of this process. */
  #areAgreed(nodes: readonly Node[]): boolean {
    const { digest } = this.#definitions
    return this.newerRoutes === undefined && nodes.every(({ definition }) => definition === digest)
  }

  /** Removes nodes that are silent. @returns the others that take part. */
  async #reap(nodes: readonly Node[]): Promise<readonly Node[]> {
    const dead = this.#silentNodes.look(nodes, this.#timing.now()).filter(({ id }) => id !== this.#nodeId)
    for (const { id, beat } of dead) await this.#options.rows.removeSilent(id, beat)
    const gone = new Set(dead.map(({ id }) => id))
    const living = nodes.filter(({ id, is_member }) => is_member && !gone.has(id))
    this.#nodes = living.length
    return living
  }
}
