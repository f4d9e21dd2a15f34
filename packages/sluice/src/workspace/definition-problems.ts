import {
  type ParseContext,
  type ParsedWorkspaces,
  type Problem,
  parseWorkspaces,
  unknownSettingsIn,
} from '@sluice/configuration'
import type { JsonObject } from '@sluice/core'

interface DefinitionProblems {
  readonly parsed: ParsedWorkspaces
  readonly problems: readonly Problem[]
  /** Settings without effect that are accepted. */
  readonly accepted: readonly Problem[]
}

/** Returns what is wrong with a definition before its code is loaded. @param definition `{workspaces: […]}`. */
export function definitionProblems(definition: JsonObject, context: ParseContext): DefinitionProblems {
  const parsed = parseWorkspaces(definition, context)
  const unknown = unknownSettingsIn(definition, context.destinations)
  return { parsed, problems: [...parsed.problems, ...unknown.problems], accepted: unknown.accepted }
}
