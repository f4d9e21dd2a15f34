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
  /**
   * Copies a local file to a path in one step, in place of the one that is there. @returns whether that one is kept as an
   * older version.
   */
  put(path: string, localFile: string): Promise<boolean>
  /** Copies a file to a local path. @returns false when it does not exist. */
  get(path: string, localFile: string): Promise<boolean>
  /** Removes a file, if it exists. @returns whether it is kept as an older version. */
  remove(path: string): Promise<boolean>
  /** Returns all paths that begin with a folder, in any order. */
  list(folder: string): Promise<readonly string[]>
}
