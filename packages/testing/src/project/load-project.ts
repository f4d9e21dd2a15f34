import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFolderLayout } from './folder-layout.ts'
import { type Project, ProjectError } from './project.ts'

/** The project that a folder lies in. @throws ProjectError when there is none. */
export async function loadProject(folder: string): Promise<Project> {
  for (let root = folder; ; root = dirname(root)) {
    if (existsSync(join(root, 'transformations'))) return readFolderLayout(root)
    if (root === dirname(root))
      throw new ProjectError(`${folder} lies in no project: no folder transformations above it`)
  }
}
