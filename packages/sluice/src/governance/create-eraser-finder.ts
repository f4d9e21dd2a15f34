import type { Clock, Destination, Random, Workspace } from '@sluice/core'
import { createApiEraser, createLineEraser, ownedTransport, type Transport } from '@sluice/delivery'
import type { DestinationRegistry } from '@sluice/destinations'
import { isLoadUnderWay, type LoadStore } from '@sluice/pipeline'
import { type DeletionTarget, type Eraser, type Erasure, ownData, type WritingStore } from '@sluice/regulation'
import { eraseAfterLoads } from './erase-after-loads.ts'

interface EraserParts {
  readonly workspaces: () => readonly Workspace[]
  readonly destinations: DestinationRegistry
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  readonly writings: Pick<WritingStore, 'of'>
  readonly loads: Pick<LoadStore, 'begun'>
  /** Erases what Sluice itself stores about users of a workspace. */
  own(workspaceId: string): Eraser
}

/** Creates a function that returns the eraser of a destination, disabled ones included, or a text why there is none. */
export function createEraserFinder(parts: EraserParts): (target: DeletionTarget) => Eraser | string {
  // One per configured destination, so that its rate limit applies across calls.
  const known = new WeakMap<Destination, Eraser | string>()
  return ({ workspaceId, destinationId }) => {
    if (destinationId === ownData) return parts.own(workspaceId)
    const workspace = parts.workspaces().find(({ id }) => id === workspaceId)
    const destination = workspace?.destinations.find(({ id }) => id === destinationId)
    if (destination === undefined) return 'destination is gone'
    const eraser =
      known.get(destination) ??
      eraserOf(workspaceId, destination, { ...parts, transport: ownedTransport(parts.transport, workspaceId) })
    known.set(destination, eraser)
    return eraser
  }
}

function eraserOf(
  workspaceId: string,
  { id: destinationId, type, settings }: Destination,
  { destinations, transport, clock, random, writings, loads }: EraserParts,
): Eraser | string {
  const definition = destinations.get(type)
  if (definition === undefined) return `destination type ${type} is no longer known`
  const { deletion, keptLines: rule, storage } = definition
  if (rule) {
    const { eraseLines } = transport
    if (eraseLines) return byUserIdOnly(createLineEraser({ rule, settings, eraseLines }))
    return 'destination not supported: the transport in use takes nothing back'
  }
  if (deletion === undefined) return `destination not supported: ${definition.displayName} cannot delete users`
  const eraser = createApiEraser({
    definition: { ...definition, deletion },
    settings,
    transport,
    clock,
    random,
    writingsOf: (userIds) => writings.of(workspaceId, userIds),
  })
  const isUnderWay = (): Promise<boolean> => isLoadUnderWay(loads, { workspaceId, destinationId }, clock)
  const inTurn = definition.load === undefined ? eraser : eraseAfterLoads(eraser, isUnderWay, clock)
  return storage === undefined ? inTurn : byUserIdOnly(inTurn)
}

/** Adds a note for users with more identifiers than the userId. Source: packages/docs/api/regulations.md#create. */
function byUserIdOnly(eraser: Eraser): Eraser {
  return {
    usersMax: eraser.usersMax,
    async erase(users, signal, progress) {
      const said = (erasures: readonly Erasure[], first = 0): readonly Erasure[] =>
        erasures.map((erasure, i) => {
          const unused = Object.keys(users[first + i] ?? {}).filter((name) => name !== 'userId')
          if (erasure.status !== 'complete' || unused.length === 0) return erasure
          const note = `erased by userId only; the product cannot use: ${unused.join(', ')}`
          return { ...erasure, note: [note, ...(erasure.note ? [erasure.note] : [])].join('; ') }
        })
      const saying = progress && {
        ...progress,
        ended: (first: number, erasures: readonly Erasure[]) => progress.ended(first, said(erasures, first)),
      }
      return said(await eraser.erase(users, signal, saying))
    },
  }
}
