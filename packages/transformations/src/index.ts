export {
  createTransformationPrograms,
  type TransformationPrograms,
  type TransformationProgramsOptions,
} from './transformation-programs.ts'
export { transformationVersionId } from './transformation-version-id.ts'
export { createUserTransformStage, type UserTransformOptions } from './user-transform-stage.ts'
