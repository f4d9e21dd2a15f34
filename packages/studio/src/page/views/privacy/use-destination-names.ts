import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'
import { readTypeNames } from '../../api/type-names.ts'

interface Named {
  readonly id: string
  readonly name: string
  /** As people call it. */
  readonly type: string
}

/** Returns the destinations of the workspace by their ids; empty while they are read. */
export function useDestinationNames(): ReadonlyMap<string, Named> {
  const { value = [] } = usePolled(
    'destinations',
    async (signal) => {
      const [named, typeNames] = await Promise.all([
        readAll<Named>('/v2/destinations', 'destinations', signal),
        readTypeNames(),
      ])
      return named.map((each) => ({ ...each, type: typeNames.get(each.type) ?? each.type }))
    },
    0,
  ).state.value
  return new Map(value.map((each) => [each.id, each]))
}
