import { Argument, Option } from 'commander'

/** Lists of a server whose ids are completed. */
export const listedOnServers = ['sources', 'destinations', 'connections', 'transformations'] as const

export type ServerList = (typeof listedOnServers)[number]

/** Values that a shell completes and that the command does not check itself. */
type CompletedValues = 'destination types' | ServerList

const values = new WeakMap<Option | Argument, CompletedValues>()

/** Returns what a shell completes for an option or an argument; undefined for what it says itself. */
export function completedValuesOf(of: Option | Argument): CompletedValues | undefined {
  return values.get(of)
}

/** Creates an option, or an argument without dashes, whose values are ids on a server. */
export function completeIds<F extends `--${string}` | `<${string}>`>(
  flags: F,
  description: string,
  list: ServerList,
): F extends `--${string}` ? Option : Argument {
  const made = flags.startsWith('--') ? new Option(flags, description) : new Argument(flags, description)
  values.set(made, list)
  return made as F extends `--${string}` ? Option : Argument
}

/** Creates an option, or an argument without dashes, whose values are destination types. */
export function completeTypes<F extends `--${string}` | `<${string}>`>(
  flags: F,
  description: string,
): F extends `--${string}` ? Option : Argument {
  const made = flags.startsWith('--') ? new Option(flags, description) : new Argument(flags, description)
  values.set(made, 'destination types')
  return made as F extends `--${string}` ? Option : Argument
}
