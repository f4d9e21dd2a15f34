/** The files of a data lake, by path below its root, with `/` between folders. Paths are plain names. */
export interface LakeFiles {
  /** Where the files are, for messages. */
  readonly place: string
  /** Returns a small file, undefined when there is none. */
  read(path: string): Promise<string | undefined>
  /** Writes a small file in one step, in place of the one that is there. */
  write(path: string, text: string): Promise<void>
  /** Writes a small file. @returns false when there is one already, which stays. */
  create(path: string, text: string): Promise<boolean>
  /** Moves a local file to a path in one step, in place of the one that is there. */
  put(path: string, localFile: string): Promise<void>
  /** Copies a file to a local path. @returns false when it does not exist. */
  get(path: string, localFile: string): Promise<boolean>
  remove(path: string): Promise<void>
  /** Returns all paths that begin with a folder, in any order. */
  list(folder: string): Promise<readonly string[]>
}
