/** A transformation or library in a folder. */
export interface ProjectCode {
  readonly name: string
  /** Absolute path of its code, or of the YAML file that contains the code. */
  readonly file: string
  /** Line of `file` on which the code begins, from 1; absent when the file contains only the code. */
  readonly firstLine?: number
  /** Absolute path of the file that describes it, if that is another one. */
  readonly specFile?: string
  readonly code: string
  readonly description: string
  readonly language: 'javascript' | 'typescript'
}

/** A test case in files: events and expected results. All paths are absolute. */
export interface ProjectCase {
  /** Shown in reports; unique within a transformation. */
  readonly name: string
  /** A JSON file with one event or a list; absent for the sample events of the Test API. */
  readonly inputFile?: string
  /**
   * Path of the JSON file with the expected results, existing or not: one list for all events, with `{error}` for a
   * failed one. Without the file, the only expectation is that no event fails. Absent if the layout has no place for
   * it.
   */
  readonly outputFile?: string
  /** Paths of the expected destination requests: `FOLDER/TYPE/FILE`, with the type in lower case. */
  readonly requests?: { readonly folder: string; readonly fileName: string }
  /** Files with conditions of the run; later ones override earlier ones. They need not exist. */
  readonly conditionFiles: readonly string[]
  /** Files with recorded responses to `fetch`. They need not exist. Absent if the layout has no place for them. */
  readonly fetch?: {
    /** Responses of this case; new ones are recorded here. */
    readonly file: string
    /** Responses shared by all cases, for requests that `file` does not answer. */
    readonly sharedFile?: string
  }
}

export interface ProjectTransformation extends ProjectCode {
  /** Never empty. */
  readonly cases: readonly ProjectCase[]
}

export interface ProjectLibrary extends ProjectCode {
  /** The name by which transformations import it. */
  readonly importName: string
}

/** Layout of a project; see the package README. */
export type ProjectLayout = 'folders' | 'rudder-cli' | 'action-meta'

/** Transformations, libraries and their cases, read from a folder. */
export interface Project {
  /** Absolute path. No file outside of it is read or written. */
  readonly root: string
  readonly layout: ProjectLayout
  readonly transformations: readonly ProjectTransformation[]
  readonly libraries: readonly ProjectLibrary[]
  /** Transformations and libraries that cannot be run here, with the reason. */
  readonly notRunnable: readonly { readonly name: string; readonly file: string; readonly reason: string }[]
}

/** An error in a project; the message names the file and the remedy. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError'
}
