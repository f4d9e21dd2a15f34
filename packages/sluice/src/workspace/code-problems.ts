import type { ParsedWorkspaces } from '@sluice/configuration'
import type { InCode, PlacedProblem } from '@sluice/configuration/file'
import { codePositions } from '@sluice/sandbox'
import type { TransformationPrograms } from '@sluice/transformations'

/** Loads every transformation once, so that code that cannot run is found before any event arrives. */
export async function codeProblems(
  transformations: ParsedWorkspaces['transformations'],
  programs: TransformationPrograms,
): Promise<readonly PlacedProblem[]> {
  const problems: PlacedProblem[] = []
  for (const { path, workspaceId, transformation } of transformations) {
    let compiled = await programs.program(transformation, workspaceId)
    if (!compiled.ok && compiled.error.code === 'transform.timeout') {
      // A machine that begins many things at once may have left it no time.
      programs.forgetFailure(transformation, workspaceId)
      compiled = await programs.program(transformation, workspaceId)
    }
    if (compiled.ok) continue
    const { message } = compiled.error
    const [firstLine = ''] = message.split('\n')
    problems.push({
      path,
      value: `code that cannot be loaded (${firstLine})`,
      allowed: 'an ES module that loads',
      inCode: inCodeOf(message, transformation.name),
    })
  }
  return problems
}

const libraryModule = 'library '

function inCodeOf(message: string, name: string): InCode | undefined {
  for (const { module, line, column } of codePositions(message)) {
    if (module === name) return { line, column }
    if (module.startsWith(libraryModule)) return { library: module.slice(libraryModule.length), line, column }
  }
  return undefined
}
