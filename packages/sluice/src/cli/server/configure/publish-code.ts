import { CliError } from '../../cli-error.ts'
import { askServer, type ServerFlags, ServerRefusal } from '../ask-server.ts'
import { publishProblems } from '../sync/publish-problems.ts'
import type { PlannedCode } from './code-plan.ts'

interface SavedCode {
  readonly versionId: string
}

/**
 * Saves versions, libraries first, and publishes them together once the server's tests pass.
 * @throws CliError with the reason; nothing went live then.
 */
export async function publishCode(flags: ServerFlags, codes: readonly PlannedCode[]): Promise<void> {
  if (codes.length === 0) return
  const saved: { readonly kind: PlannedCode['kind']; readonly versionId: string }[] = []
  for (const { kind, name, code, id, versionId } of codes) {
    const base = kind === 'library' ? '/libraries' : '/transformations'
    const path = id === undefined ? base : `${base}/${encodeURIComponent(id)}`
    const body = { code, ...(id === undefined ? { name, importName: kind === 'library' ? name : undefined } : {}) }
    const version = versionId ?? (await askServer<SavedCode>(flags, 'POST', path, body)).versionId
    saved.push({ kind, versionId: version })
  }
  const versionsOf = (kind: PlannedCode['kind']) =>
    saved.flatMap((each) => (each.kind === kind ? [{ versionId: each.versionId }] : []))
  const payload = { libraries: versionsOf('library'), transformations: versionsOf('transformation') }
  await askServer(flags, 'POST', '/transformations/libraries/publish', payload).catch((error: unknown) => {
    const reasons = error instanceof ServerRefusal ? publishProblems(error) : ''
    if (!(error instanceof CliError) || reasons === '') throw error
    throw new CliError(`${error.message}\n${reasons}`, 1, { cause: error })
  })
}
