import type { DestinationCircuit } from '@sluice/pipeline'

const worse: Readonly<Record<DestinationCircuit['state'], number>> = { closed: 0, open: 1, paused: 2 }

/** Returns the circuits of several processes as those of one, in order of id: of each destination that of the worst state, and the earliest failure. */
export function joinCircuits(ofProcesses: readonly (readonly DestinationCircuit[])[]): readonly DestinationCircuit[] {
  const joined = new Map<string, DestinationCircuit>()
  for (const circuit of ofProcesses.flat()) {
    const known = joined.get(circuit.destinationId)
    joined.set(circuit.destinationId, known === undefined ? circuit : worst(known, circuit))
  }
  return [...joined.values()].sort((a, b) => (a.destinationId < b.destinationId ? -1 : 1))
}

function worst(a: DestinationCircuit, b: DestinationCircuit): DestinationCircuit {
  const found = worse[b.state] > worse[a.state] ? b : a
  const since = [a, b].flatMap(({ failingSince }) => failingSince ?? [])
  return since.length === 0 ? found : { ...found, failingSince: Math.min(...since) }
}
