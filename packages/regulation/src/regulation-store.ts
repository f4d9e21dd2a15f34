import type { Regulation } from './regulation.ts'

/** Where regulations are kept. The only place that knows a suppressed user's id in plain text. */
export interface RegulationStore {
  /** Adds all of them or none. Adding the same id again changes nothing. */
  add(regulations: readonly Regulation[]): Promise<void>
  /** @returns the regulation as it is afterwards, undefined when the workspace has none of that id. Repeating is fine. */
  cancel(workspaceId: string, id: string): Promise<Regulation | undefined>
  /** In order of id, cancelled ones included, of one workspace. `after` is exclusive. */
  list(workspaceId: string, page: { readonly after?: string; readonly limit: number }): Promise<readonly Regulation[]>
}
