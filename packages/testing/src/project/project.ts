/** A transformation or library as it lies in a folder. */
export interface ProjectCode {
  readonly name: string
  /** Absolute path of its code. */
  readonly file: string
  readonly code: string
  readonly description: string
  readonly language: 'javascript' | 'typescript'
  /** Of the server it was pulled from; absent where it has never been. */
  readonly id?: string
}

/** Events and what is to come of them, in files. */
export interface ProjectCase {
  /** Shown in reports; unique within a transformation. */
  readonly name: string
  /** Absolute path of a JSON file with one event or a list of them. */
  readonly inputFile: string
  /** Absolute path of the JSON file with what is to come out, one list for all events, `{error}` where one fails; absent when nothing is expected but that no event fails. */
  readonly outputFile?: string
}

export interface ProjectTransformation extends ProjectCode {
  readonly cases: readonly ProjectCase[]
}

export interface ProjectLibrary extends ProjectCode {
  /** What transformations import it by. */
  readonly importName: string
}

/** How the files of a project are laid out; see project-layouts in the package README. */
export type ProjectLayout = 'folders' | 'rudder-cli' | 'action-meta'

/** Transformations, libraries and their cases, read from a folder. */
export interface Project {
  /** Absolute path. */
  readonly root: string
  readonly layout: ProjectLayout
  readonly transformations: readonly ProjectTransformation[]
  readonly libraries: readonly ProjectLibrary[]
}

/** What is wrong with a project; the message names the file and the way out. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
}
