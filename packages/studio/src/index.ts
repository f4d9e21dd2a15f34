export { readStudioFiles, type StudioFilesOptions, type StudioFont } from './files/read-studio-files.ts'
