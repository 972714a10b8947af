export interface Measure {
  label: string;
  /** "5.40", "<0.1", "Positive", "120": as written; null with `absent` set when the record holds no value. */
  value: string | null;
  /** Unit as written, or null. */
  unit: string | null;
  /** Why there is no value, in words. */
  absent: string | null;
  /** `system|code` of the component. */
  code: string | null;
  /** The source's own, in words. */
  interpretation: string | null;
  referenceRange: string | null;
  /** The source's interpretation as a flag, where it is one of HL7's codes or words. */
  flag?: ResultFlag;
  /** Ours, from comparing value and range: present only where both are comparable and the value is outside or contradicts. */
  computed?: ComputedInterpretation;
}

export type ResultFlag =
  | 'normal'
  | 'high'
  | 'low'
  | 'critical high'
  | 'critical low'
  | 'abnormal'
  | 'critical';

/** To be shown as computed: "above 8, computed". */
export interface ComputedInterpretation {
  flag: 'high' | 'low' | 'normal';
  /** "above 8", "below 3.5", "within 3.5 to 8". */
  text: string;
  /** The source's interpretation says otherwise: both are to be shown. */
  contradicts?: true;
}

export interface ObservationDetail extends Omit<Measure, 'label' | 'code'> {
  components: Measure[];
  /** Always null: the fact `panel` of the entry's context names it, if the consent covers it. */
  panel: string | null;
  note: string | null;
  /**
   * `Type/id` of its results, of a panel, an organism or a report. Such an entry may have no value of its own (`value` and
   * `absent` null); it is then listed only where the consent covers none of its results, which name it as their `panel`.
   */
  members?: readonly string[];
  specimen?: string;
  bodySite?: string;
  method?: string;
  /** "Supine": where an extension says so; as a component it is one. */
  position?: string;
  /** Who performed it, where it is not the organization. */
  performer?: string;
  /** The device it was measured with. */
  device?: string;
}
