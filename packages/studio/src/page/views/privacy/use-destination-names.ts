import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'

interface Named {
  readonly id: string
  readonly name: string
  readonly type: string
}

/** Returns the destinations of the workspace by their ids; empty while they are read. */
export function useDestinationNames(): ReadonlyMap<string, Named> {
  const { value = [] } = usePolled(
    'destinations',
    (signal) => readAll<Named>('/v2/destinations', 'destinations', signal),
    0,
  ).state.value
  return new Map(value.map((each) => [each.id, each]))
}
