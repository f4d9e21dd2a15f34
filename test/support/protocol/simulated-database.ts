import { laneCount } from '../../../packages/postgres/src/lanes/lane-of.ts'
import { NotServingError } from '../../../packages/postgres/src/membership/not-serving-error.ts'
import type { NewNode, Node, OwnBeat, SharedRows } from '../../../packages/postgres/src/membership/shared-rows.ts'
import type { World } from './world.ts'

interface Row extends NewNode {
  beat: number
  isMember: boolean
  applied: number
}

/** What the database has: processes, lanes, changes, and a log with one cursor for each lane. */
export class SimulatedDatabase {
  readonly nodes = new Map<string, Row>()
  readonly owners = new Array<string | null>(laneCount).fill(null)
  /** Batches that were appended to each lane, and how many its consumer has passed. */
  readonly ends = new Array<number>(laneCount).fill(0)
  readonly cursors = new Array<number>(laneCount).fill(0)
  /** Lanes to which batches are appended: a few, so that a run is short. */
  readonly busyLanes: readonly number[]
  changes = 0
  /** Changes that were answered: no process may work without them. */
  answered = 0
  /** Until when it does not answer. */
  goneUntil = 0
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.busyLanes = [...new Set([0, 1, 2].map(() => world.between(0, laneCount)))]
  }

  change(): number {
    this.changes += 1
    return this.changes
  }

  /**
   * Commits what a process has made of a lane, if the process is there: one that was removed can store nothing.
   * @param isLate whether the process does not wait for the answer any more.
   */
  commit(nodeId: string, lane: number, position: number, isLate: boolean): void {
    if (!this.nodes.has(nodeId)) throw new NotServingError()
    if (!isLate && this.owners[lane] !== nodeId)
      this.#world.broken(`${nodeId} has committed to lane ${lane}, which ${this.owners[lane]} holds`)
    this.cursors[lane] = Math.max(this.cursors[lane] ?? 0, position)
  }

  rows(): SharedRows {
    const { nodes, owners } = this
    return {
      resume: async () => ({
        state: { end: 0, changes: this.changes },
        missing: { batches: 0, events: 0, changes: 0 },
        isSame: true,
      }),
      addNode: async (node) => {
        nodes.set(node.id, { ...node, beat: 0, applied: this.changes })
      },
      beat: async (nodeId): Promise<OwnBeat | undefined> => {
        const row = nodes.get(nodeId)
        if (row === undefined) return undefined
        row.beat += 1
        const { beat, isDraining: is_draining } = row
        return { beat, passed: 0, is_draining, losses: 0, end: 0, changes: this.changes }
      },
      nodes: async () =>
        [...nodes.values()].map(
          ({ id, beat, leaseMs, isMember, isDraining, definition, file }): Node => ({
            id,
            beat,
            lease_ms: leaseMs,
            is_member: isMember,
            is_draining: isDraining,
            definition,
            file,
            seen_at: 1,
            revision: 0,
          }),
        ),
      makeMember: async (nodeId) => {
        const row = nodes.get(nodeId)
        if (row) row.isMember = true
      },
      removeSilent: async (nodeId, beat) => {
        if (nodes.get(nodeId)?.beat === beat) nodes.delete(nodeId)
      },
      removeNode: async (nodeId) => void nodes.delete(nodeId),
      leave: async (nodeId, stays) => {
        for (const [lane, owner] of owners.entries()) if (owner === nodeId) owners[lane] = null
        const row = nodes.get(nodeId)
        if (row) row.isMember = false
        if (!stays) nodes.delete(nodeId)
      },
      lanes: async () => owners.map((node_id, number) => ({ number, node_id })),
      give: async (nodeId, lanes) => {
        for (const lane of lanes) if (owners[lane] === nodeId) owners[lane] = null
      },
      take: async (nodeId, lanes) => {
        if (!nodes.has(nodeId)) return []
        const isFree = (owner: string | null | undefined): boolean => !owner || owner === nodeId || !nodes.has(owner)
        const taken = lanes.filter((lane) => isFree(owners[lane]))
        for (const lane of taken) owners[lane] = nodeId
        return taken
      },
      sayChanging: async () => {},
      sayDefinition: async () => {},
      differs: async () => false,
      silentFiles: async () => [],
      routesOf: async () => undefined,
      changes: async () => ({ count: this.changes, of_code: 0 }),
      changesAndBehind: async () => ({
        count: this.changes,
        of_code: 0,
        behind: [...nodes.values()].flatMap(({ id, isMember, applied }) =>
          isMember && applied < this.changes ? id : [],
        ),
      }),
      sayApplied: async (nodeId, count) => {
        const row = nodes.get(nodeId)
        if (row) row.applied = Math.max(row.applied, count)
      },
      behind: async (count) =>
        [...nodes.values()].flatMap(({ id, isMember, applied }) => (isMember && applied < count ? id : [])),
      addBarrier: async () => 0,
      barriersAfter: async () => [],
      sayPassed: async () => {},
      hasNotPassed: async () => false,
    }
  }
}
