import type { ParsedWorkspaces, Problem } from '@sluice/configuration'
import type { TransformationPrograms } from '@sluice/transformations'

/** Loads every transformation once, so that code that cannot run is found before any event arrives. */
export async function codeProblems(
  transformations: ParsedWorkspaces['transformations'],
  programs: TransformationPrograms,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const { path, workspaceId, transformation } of transformations) {
    let compiled = await programs.program(transformation, workspaceId)
    if (!compiled.ok && compiled.error.code === 'transform.timeout') {
      // A machine that begins many things at once may have left it no time.
      programs.forgetFailure(transformation, workspaceId)
      compiled = await programs.program(transformation, workspaceId)
    }
    if (compiled.ok) continue
    const [firstLine = ''] = compiled.error.message.split('\n')
    problems.push({ path, value: `code that cannot be loaded (${firstLine})`, allowed: 'an ES module that loads' })
  }
  return problems
}
