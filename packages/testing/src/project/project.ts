/** A transformation or library as it lies in a folder. */
export interface ProjectCode {
  readonly name: string
  /** Absolute path of its code, or of the YAML file the code stands in. */
  readonly file: string
  /** Line of `file` on which the code begins, from 1; absent when the file is the code and nothing else. */
  readonly firstLine?: number
  /** Absolute path of the file that describes it, where that is another one. */
  readonly specFile?: string
  readonly code: string
  readonly description: string
  readonly language: 'javascript' | 'typescript'
}

/** Events and what is to come of them, in files. All paths are absolute. */
export interface ProjectCase {
  /** Shown in reports; unique within a transformation. */
  readonly name: string
  /** A JSON file with one event or a list of them; absent for the sample events of the Test API. */
  readonly inputFile?: string
  /**
   * Where the JSON file lies, or would be written, with what is to come out: one list for all events, `{error}` where one
   * fails. Without such a file nothing is expected but that no event fails; absent where the layout has no place for it.
   */
  readonly outputFile?: string
  /** Where the requests that destinations would get lie: `FOLDER/TYPE/FILE`, with the type in lower case. */
  readonly requests?: { readonly folder: string; readonly fileName: string }
  /** Files with conditions of the run, the later ones winning; they need not be there. */
  readonly conditionFiles: readonly string[]
}

export interface ProjectTransformation extends ProjectCode {
  /** Never empty. */
  readonly cases: readonly ProjectCase[]
}

export interface ProjectLibrary extends ProjectCode {
  /** What transformations import it by. */
  readonly importName: string
}

/** How the files of a project are laid out; see the package README. */
export type ProjectLayout = 'folders' | 'rudder-cli' | 'action-meta'

/** Transformations, libraries and their cases, read from a folder. */
export interface Project {
  /** Absolute path. No file outside of it is read or written. */
  readonly root: string
  readonly layout: ProjectLayout
  readonly transformations: readonly ProjectTransformation[]
  readonly libraries: readonly ProjectLibrary[]
  /** What is described and cannot be run here, with the reason. */
  readonly notRunnable: readonly { readonly name: string; readonly file: string; readonly reason: string }[]
}

/** What is wrong with a project; the message names the file and the way out. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
}
