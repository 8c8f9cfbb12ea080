// The puzzle of the day on the shelf: a mark where it was solved here.
import { markSolved } from "./puzzle_record.js";

markSolved();
