// What `bellwether index` puts into the page, as src/report/index_page.cpp writes it.

import type { ComparedNumber, Verdict } from './report-data';

export interface IndexData {
  format: 1;
  kind: 'index';
  program: string; // "bellwether 0.1.0"
  papers: IndexedPaper[];
}

export interface IndexedPaper {
  study: string;
  description: string;
  program: string; // that judged it
  whole: boolean; // or a part of the study's runs
  agentSteps: number;
  report: string; // a link to its page; "" where there is none
  claims: { id: string; statement: string; verdict: Verdict; parts: { id: string; verdict: Verdict }[] }[];
  numbers: ComparedNumber[];
}
