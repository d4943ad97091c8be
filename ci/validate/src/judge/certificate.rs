//! Certificate files: both functions as text, and a proof that one refines the other. A file is self-contained: a
//! reader who does not trust its author can recheck it with nothing but the solver.

use crate::admit::qualified::{qualified, unsaid};
use crate::admit::recursion;
use crate::pair::extracted::Extracted;
use crate::pair::{Side, Sides, as_ref};
use crate::stages::bounded::assumption;
use crate::stages::identical::are_identical;
use crate::stages::proof::limits;
use crate::stages::simulation::simulated;
use crate::stages::undef_runs::refuted_by_undef;
use crate::verdict::{Assumption, Method, Options, Reason, Uninit, Verdict};
use backedge_ir::module::Module;
use backedge_smt::proof::{self, Outcome};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Format name in a file.
const FORMAT: &str = "backedge-certificate-1";

/// A certificate with the functions that it is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateFile {
    format: String,
    /// The names of the functions.
    pub functions: [String; 2],
    /// Contents of uninitialized memory.
    pub uninit: Uninit,
    /// The modules of both functions as text.
    pub modules: [String; 2],
    /// The proof; `null` for identical functions, and for those that run side by side: the reader runs them again.
    pub certificate: Option<proof::Certificate>,
}

/// Proof text for identical functions.
const IDENTICAL: &str = "the functions, and everything that they refer to, are the same but for names of locals, and numbers \
                         of metadata and attribute groups";

/// Proof text for functions that run side by side.
const SIMULATED: &str = "both functions take the same steps on the same values, side by side";

/// Why a file is not a valid certificate.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// The file is not JSON of this format.
    #[error("{0}")]
    Syntax(#[from] serde_json::Error),
    /// The file has another format version.
    #[error("the format is `{0}`, and `{FORMAT}` is read")]
    Format(String),
    /// The file's functions cannot be read.
    #[error("{0}")]
    Functions(String),
    /// The certificate is about other functions than those it is compared with.
    #[error("{0}")]
    Other(String),
    /// The certificate's proof is invalid.
    #[error("not a proof: {0}")]
    NoProof(String),
}

/// A rechecked certificate.
#[derive(Clone, PartialEq, Debug)]
pub struct Rechecked {
    /// The proved verdict, with its assumptions.
    pub verdict: Verdict,
    /// The proof in words, one line for each node with facts and for each step: derived from the rechecked content, not
    /// from the file's own claims.
    pub proof: Vec<String>,
    /// Whether one of the functions has a loop.
    pub loops: bool,
}

impl CertificateFile {
    /// The certificate that `target` refines `source`: `found`, the certificate of a judge's report on the pair.
    /// Without one, for a verdict by another method or about a copy of the pair, the prover searches for a proof.
    ///
    /// # Errors
    ///
    /// [`CertificateError::NoProof`] if no proof is found; the pair may still refine.
    pub fn new(
        source: Side<'_>,
        target: Side<'_>,
        found: Option<&proof::Certificate>,
        options: &Options,
    ) -> Result<Self, CertificateError> {
        let pair = Extracted::new(source, target).map_err(CertificateError::Functions)?;
        let Sides { source: s, target: t } = pair.sides();
        let certificate = match found {
            Some(found) => Some(found.clone()),
            None if options.identity && are_identical(s, t) => None,
            None => {
                if let Some(obstacle) = recursion::speculated_in_module(source, target, t) {
                    return Err(CertificateError::NoProof(unsaid(&obstacle, target).to_string()));
                }
                if options.induction && rerun(s, t, options).is_ok() {
                    return Ok(Self::of(&pair, [source.name(), target.name()], options.uninit, None));
                }
                let report = proof::prove(as_ref(s), as_ref(t), &limits(options));
                Some(accepted(s, t, report.outcome)?)
            }
        };
        Ok(Self::of(&pair, [source.name(), target.name()], options.uninit, certificate))
    }
    fn of(
        pair: &Extracted,
        names: [&str; 2],
        uninit: Uninit,
        certificate: Option<proof::Certificate>,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            functions: names.map(str::to_owned),
            uninit,
            modules: pair.texts().clone(),
            certificate,
        }
    }
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("plain data");
        text.push('\n');
        text
    }
    /// Parses the certificate in a file's text.
    ///
    /// # Errors
    ///
    /// If the text is not a certificate of this version.
    pub fn from_json(text: &str) -> Result<Self, CertificateError> {
        let file: Self = serde_json::from_str(text)?;
        if file.format != FORMAT {
            return Err(CertificateError::Format(file.format));
        }
        Ok(file)
    }
    /// Whether the certificate's functions are those of these modules, including everything they refer to; local names
    /// may differ.
    ///
    /// # Errors
    ///
    /// The difference.
    pub fn speaks_of(&self, source: &Module, target: &Module) -> Result<(), CertificateError> {
        let [s, t] = &self.functions;
        let other = CertificateError::Other;
        let source = find(source, s).ok_or_else(|| other(format!("the source's module has no @{s}")))?;
        let target = find(target, t).ok_or_else(|| other(format!("the target's module has no @{t}")))?;
        let theirs = Extracted::new(source, target).map_err(CertificateError::Functions)?;
        let own = Extracted::from_texts(self.modules.clone(), [s, t]).map_err(CertificateError::Functions)?;
        let Sides { source: own_source, target: own_target } = own.sides();
        if (self.certificate.is_some() || !are_identical(own_source, own_target))
            && let Some(obstacle) = recursion::speculated_in_module(source, target, own_target)
        {
            return Err(other(unsaid(&obstacle, target).to_string()));
        }
        let own = Extracted::new(own_source, own_target).map_err(CertificateError::Functions)?;
        for ((theirs, own), name) in theirs.canonical().iter().zip(own.canonical()).zip([s, t]) {
            if *theirs != own {
                return Err(other(format!("it is about another @{name} than the module's")));
            }
        }
        Ok(())
    }
    /// Rechecks the file's proof, and returns its assumptions.
    ///
    /// # Errors
    ///
    /// If the proof is invalid, or the budget does not suffice to decide.
    pub fn recheck(&self, options: &Options) -> Result<Rechecked, CertificateError> {
        let names = [self.functions[0].as_str(), self.functions[1].as_str()];
        let pair = Extracted::from_texts(self.modules.clone(), names).map_err(CertificateError::Functions)?;
        let Sides { source: s, target: t } = pair.sides();
        let options = Options { uninit: self.uninit, ..options.clone() };
        let Some(certificate) = &self.certificate else {
            return if are_identical(s, t) { Ok(identical(s, t)) } else { rerun(s, t, &options) };
        };
        if let Some(reason) = crate::admit::comparable::not_comparable(s, t) {
            return Err(CertificateError::NoProof(reason.to_string()));
        }
        let report = proof::recheck(as_ref(s), as_ref(t), certificate, &limits(&options));
        match report.outcome {
            Outcome::Refines(proved) => {
                let assumed = proved.assumed().iter().cloned().map(assumption).collect();
                match qualified(Verdict::RefinesAll { method: Method::Induction, assumed }, s, t) {
                    Verdict::RefinesAll { assumed, .. }
                        if assumed.contains(&Assumption::NoUndefInputs)
                            && refuted_by_undef(s, t, &options).is_some() =>
                    {
                        let why = "it holds if no input is undef, and an undef input refutes it";
                        Err(CertificateError::NoProof(why.to_owned()))
                    }
                    verdict @ Verdict::RefinesAll { .. } => {
                        let loops = s.has_loop() || t.has_loop();
                        Ok(Rechecked { verdict, proof: proved.into_certificate().shown, loops })
                    }
                    other => Err(CertificateError::NoProof(other.to_string())),
                }
            }
            Outcome::NotProved(why) => Err(CertificateError::NoProof(why)),
        }
    }
}

/// The result for identical functions.
fn identical(s: Side<'_>, t: Side<'_>) -> Rechecked {
    let verdict = Verdict::RefinesAll { method: Method::Identical, assumed: Vec::new() };
    Rechecked { verdict, proof: vec![IDENTICAL.to_owned()], loops: s.has_loop() || t.has_loop() }
}

/// Runs both functions side by side again.
fn rerun(s: Side<'_>, t: Side<'_>, options: &Options) -> Result<Rechecked, CertificateError> {
    let no_proof = |why: String| {
        let why =
            format!("the functions are not identical, and running them side by side proves nothing: {why}");
        CertificateError::NoProof(why)
    };
    if let Some(reason) = crate::admit::comparable::not_comparable(s, t) {
        return Err(no_proof(reason.to_string()));
    }
    let verdict = simulated(Sides { source: s, target: t }, options).map_err(no_proof)?;
    Ok(Rechecked { verdict, proof: vec![SIMULATED.to_owned()], loops: s.has_loop() || t.has_loop() })
}

fn find<'m>(module: &'m Module, name: &str) -> Option<Side<'m>> {
    module.env.func_named(name).map(|func| Side { module, func })
}

/// The certificate, unless the pair needs an unsupported feature that the proof does not cover.
fn accepted(s: Side<'_>, t: Side<'_>, outcome: Outcome) -> Result<proof::Certificate, CertificateError> {
    if let Some(reason) = crate::admit::comparable::not_comparable(s, t) {
        return Err(CertificateError::NoProof(reason.to_string()));
    }
    match outcome {
        Outcome::Refines(proved) => {
            let verdict = Verdict::RefinesAll { method: Method::Induction, assumed: Vec::new() };
            match qualified(verdict, s, t) {
                Verdict::Inconclusive { reason: reason @ Reason::Unsupported { .. } } => {
                    Err(CertificateError::NoProof(reason.to_string()))
                }
                _ => Ok(proved.into_certificate()),
            }
        }
        Outcome::NotProved(why) => Err(CertificateError::NoProof(why)),
    }
}
