import type { DestinationDefinition } from '../define-destination.ts'
import type { PublicDefinition } from './public-definition.ts'

/** Definitions that are loaded only when a workspace names them, such as those of an installed package. */
export interface DestinationFamily {
  /** Beginning of the names of its types, in lower case with a slash at the end: `segment/`. */
  readonly prefix: string
  /** Package and version that the definitions come from. */
  readonly origin: string
  /** Names of all its types, in alphabetical order. */
  readonly types: readonly string[]
  /** Loads one of its types. May take milliseconds at the first call. */
  load(type: string): LoadedDefinition
  /** Returns the public descriptions of all its types, without keeping the definitions in memory. */
  describe(): Promise<readonly PublicDefinition[]>
}

export type LoadedDefinition =
  | { readonly ok: true; readonly definition: DestinationDefinition }
  | { readonly ok: false; readonly problem: string }

/** One definition, or many that are loaded when needed. */
export type DestinationSource = DestinationDefinition | DestinationFamily

export function isDestinationFamily(source: DestinationSource): source is DestinationFamily {
  return 'prefix' in source
}
