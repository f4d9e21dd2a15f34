import type { Cluster, Engine } from '@sluice/pipeline'
import type { ChangeNotes } from './change-notes.ts'
import type { NameOf } from './record-facts.ts'

interface CircuitTriesOptions {
  readonly engine: Pick<Engine, 'tryNow'>
  /** The other processes, which have circuits of their own. */
  readonly cluster?: Pick<Cluster, 'tryNow'>
  readonly notes: ChangeNotes
  nameIn(workspaceId: string): NameOf
}

/** Returns a function that lets one event go to a destination whose circuit is open, in every process, and notes it. */
export function createCircuitTries({ engine, cluster, notes, nameIn }: CircuitTriesOptions) {
  return async (workspaceId: string, destinationId: string): Promise<void> => {
    engine.tryNow(workspaceId, destinationId)
    cluster?.tryNow({ kind: 'circuit', workspaceId, destinationId })
    const subject = { kind: 'destination', id: destinationId, name: nameIn(workspaceId)('destination', destinationId) }
    await notes.note(workspaceId, [
      { kind: 'tried', subject, text: `tried destination ${subject.name} before its time` },
    ])
  }
}
