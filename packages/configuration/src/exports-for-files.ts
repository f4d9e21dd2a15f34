// For reading files, which needs no destinations: loading them takes most of the time in which a command starts.
export { inOneForm } from './definition/in-one-form.ts'
export {
  type InCode,
  type Place,
  type PlacedProblem,
  type Problem,
  problemText,
  shown,
  unknownMember,
  WorkspaceFileError,
} from './definition/problems/problem.ts'
export { type NamedVariable, resolveVariables, variableIn } from './definition/resolve-variables.ts'
export { fromRudderProject, isRudderResource, type RudderResource } from './rudder-project/from-rudder-project.ts'
